// What the chart brings for Prometheus and Grafana, as Helm renders it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from '../../../kube/resource.ts';
import { forHub } from '../../support/servers/chart/chart.ts';

const file = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'deploy', 'helm', 'monitoring', name), 'utf8');
const KINDS = new Set(['PrometheusRule', 'PodMonitor']);
const ofOperator = (objects: readonly KubeObject[]) => objects.filter(({ kind = '' }) => KINDS.has(kind));

test('alerts, PodMonitors and dashboard come only when asked for, as they are in the chart’s files', async () => {
  const plain = await forHub({});
  expect([ofOperator(plain), plain.filter(({ metadata }) => metadata.name === 'cappstan-dashboard')]).toEqual(
    [[], []],
  );
  const objects = await forHub({
    'monitoring.rules': 'true',
    'monitoring.podMonitors': 'true',
    'monitoring.dashboards': 'true',
    'monitoring.labels.release': 'prometheus',
  });
  const [rule, monitor] = ofOperator(objects).toSorted((a, b) => ((a.kind ?? '') > (b.kind ?? '') ? -1 : 1));
  expect((rule as KubeObject & { spec: object }).spec).toEqual(parse(file('alerts.yaml')));
  expect([rule, monitor].map((one) => one?.metadata.labels?.['release'])).toEqual([
    'prometheus',
    'prometheus',
  ]);
  expect(monitor).toMatchObject({ spec: { podMetricsEndpoints: [{ port: 'metrics' }] } });
  const dashboard = objects.find(({ metadata }) => metadata.name === 'cappstan-dashboard');
  const { data } = dashboard as KubeObject & { data: Record<string, string> };
  expect(JSON.parse(data['cappstan.json'] ?? '')).toEqual(JSON.parse(file('dashboard.json')));
});

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value: string }[];
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
        }[];
      };
    };
  };
}

test('every process on the hub serves metrics on the port named metrics', async () => {
  const deployments = (await forHub({})).filter(({ kind }) => kind === 'Deployment') as Deployment[];
  const served = deployments.map(({ metadata, spec }) => {
    const [container] = spec.template.spec.containers;
    const address = container?.env.find(({ name }) => name === 'METRICS_ADDRESS')?.value;
    return [metadata.name, address, container?.ports.find(({ name }) => name === 'metrics')?.containerPort];
  });
  expect(served.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual(
    ['cappstan-bridge', 'cappstan-hub', 'cappstan-webhook'].map((name) => [name, '0.0.0.0:9464', 9464]),
  );
});
