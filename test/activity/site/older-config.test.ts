// A site without a CappConfig is configured by the ConfigMaps that container-app-operator read before it, on
// a real API server; and Knative's own ConfigMap says what Pods may have.
import { CONFIG_MAP, EVENT, NAMESPACE, type ConfigMap, type Event } from '../../../crds/kubernetes/core.ts';
import {
  DOMAIN_MAPPING,
  KNATIVE_CONFIGURATION_LABEL,
  KNATIVE_FEATURES,
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  type KnativeService,
} from '../../../crds/kubernetes/knative.ts';
import { AUTOSCALE_DEFAULTS, DNS_CONFIG } from '../../../crds/former-config.ts';
import type { Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { at, siteTestbed } from '../../support/testbeds/site/site.ts';
import { serveCappConfig, serveKnative, writeCappConfig } from '../../support/testbeds/site/site-kinds.ts';

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube);
  for (const { namespace } of [AUTOSCALE_DEFAULTS, KNATIVE_FEATURES])
    await testbed.kube.create(NAMESPACE, { metadata: { name: namespace } });
}, 300_000);

function put(metadata: { namespace: string; name: string }, data: Readonly<Record<string, string>>) {
  const object: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  return testbed.kube.apply(CONFIG_MAP, object, { fieldManager: 'test', force: true });
}

const service = (name: string) => testbed.kube.get<KnativeService>(KNATIVE_SERVICE, at(name));

async function untilTarget(name: string, target: string): Promise<void> {
  await eventually(async () => {
    const { annotations = {} } = (await service(name))?.spec?.template?.metadata ?? {};
    expect(annotations['autoscaling.knative.dev/target']).toBe(target);
    return true;
  });
}

async function supersededOf(name: string): Promise<string[]> {
  const { items } = await testbed.kube.list<Event>(EVENT, { namespace: AUTOSCALE_DEFAULTS.namespace });
  return items
    .filter(({ reason, regarding }) => reason === 'ConfigSuperseded' && regarding.name === name)
    .map(({ note }) => note);
}

test('autoscale-defaults and dns-config count while there is no CappConfig, and an event on each says that one supersedes them', async () => {
  await testbed.make('app', { routeSpec: { hostname: 'app' } });
  await untilTarget('app', '10');
  await put({ ...AUTOSCALE_DEFAULTS }, { concurrency: '12' });
  await put({ ...DNS_CONFIG }, { zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.' });
  await untilTarget('app', '12');
  await eventually(() =>
    testbed.kube.get(DOMAIN_MAPPING, at('app.capp-zone.com')).then((found) => found !== null),
  );
  for (const { name } of [AUTOSCALE_DEFAULTS, DNS_CONFIG])
    await eventually(async () => {
      expect(await supersededOf(name)).toEqual([
        expect.stringContaining('is superseded, and counts only while'),
      ]);
      return true;
    });
}, 300_000);

test('a CappConfig takes their place, and they are said to have no effect', async () => {
  await serveCappConfig(testbed.kube);
  await writeCappConfig(testbed.kube, { autoscaleConfig: { concurrency: 14 } });
  await untilTarget('app', '14');
  await eventually(async () => {
    expect(await supersededOf(DNS_CONFIG.name)).toContainEqual(
      expect.stringContaining('has no effect, because the site has a CappConfig'),
    );
    return true;
  });
}, 300_000);

test('a start with unchanged ConfigMaps writes nothing', async () => {
  const version = async () => (await service('app'))?.metadata.resourceVersion;
  const before = await testbed.atRest(version);
  await testbed.restart();
  await testbed.operator.idle();
  expect(await version()).toBe(before);
}, 300_000);

test('a Capp that needs a switch of Knative says which within seconds, and runs once it is on', async () => {
  const keys = ['kubernetes.podspec-persistent-volume-claim', 'kubernetes.podspec-persistent-volume-write'];
  const switched = (value: string) =>
    put({ ...KNATIVE_FEATURES }, Object.fromEntries(keys.map((key) => [key, value])));
  await switched('disabled');
  const container = { name: 'app', image: 'i:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  await testbed.restart();
  await testbed.make('stores', {
    configurationSpec: { template: { spec: { containers: [container], volumes } } },
  });
  const { status } = await testbed.says('stores', 'Ready', 'FeatureOff');
  expect(status?.conditions?.[0]?.message).toContain(
    `volumes[data].persistentVolumeClaim needs ${keys.join(' and ')}`,
  );
  expect(await service('stores')).toBeNull();
  await switched('enabled');
  await eventually(async () => (await service('stores')) !== null);
}, 300_000);

test('a Capp whose class of autoscaler nobody serves says so within seconds, and goes on once somebody does', async () => {
  await testbed.make('scaled', { scaleMetric: 'cpu' });
  const { metadata } = await eventually(async () => (await service('scaled')) ?? undefined);
  const name = 'scaled-00001';
  const hpa = { 'autoscaling.knative.dev/class': 'hpa.autoscaling.knative.dev' };
  const labels = { [KNATIVE_CONFIGURATION_LABEL]: 'scaled' };
  await testbed.kube.create(KNATIVE_REVISION, {
    apiVersion: KNATIVE_REVISION.apiVersion,
    kind: KNATIVE_REVISION.kind,
    metadata: { ...at(name), labels, annotations: hpa },
  });
  const says = (resource: Resource, key: string, status: object) =>
    testbed.kube.patch(resource, at(key), { status }, { subresource: 'status' });
  // What Knative's controller says of a revision whose PodAutoscaler has no status.
  const active = { type: 'Active', status: 'Unknown', reason: 'Deploying' };
  await says(KNATIVE_REVISION, name, { conditions: [active] });
  await says(KNATIVE_SERVICE, 'scaled', {
    observedGeneration: metadata.generation,
    latestCreatedRevisionName: name,
    conditions: ['ConfigurationsReady', 'Ready'].map((type) => ({ type, status: 'Unknown' })),
  });
  await testbed.says('scaled', 'Ready', 'Deploying');
  const { status } = await testbed.says('scaled', 'Ready', 'NoAutoscaler');
  expect(status?.conditions?.[0]?.message).toContain('class hpa.autoscaling.knative.dev of revision scaled-');
  await says(KNATIVE_REVISION, name, { conditions: [{ ...active, reason: 'Queued' }] });
  await testbed.says('scaled', 'Ready', 'Deploying');
}, 300_000);
