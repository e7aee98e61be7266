// What the processes on a site are told when the cluster has an AddOnDeploymentConfig of its own, which takes
// the place of the chart's.
import { z } from 'zod';
import type { KubeObject } from '../../../kube/resource.ts';
import { readConfig } from '../../../workers/process/config.ts';
import { forHub, forSite, SITE_AGENT, type Values } from '../../support/servers/chart/chart.ts';

const GIVEN = {
  'addon.site.runsCapps': 'false',
  'addon.scores.url': 'http://figures.example',
  'temporal.namespace': 'apps',
  logLevel: 'warn',
};
/** As the Go operator's page has it for its score. */
const BOUNDS = { MAX_CPU_COUNT: '16', MIN_CPU_COUNT: '2' };

const text = z.string().optional();
const READ = {
  TEMPORAL_ADDRESS: text,
  TEMPORAL_NAMESPACE: text,
  SITE_OPERATOR: text,
  LOG_LEVEL: text,
  MIN_CPU_COUNT: text,
  MAX_CPU_COUNT: text,
  SCORE_URL: text,
};

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [{ readonly env: readonly { name: string; value?: string }[] }];
      };
    };
  };
}

async function toldTo(name: string, values: Values, variables: Values): Promise<object> {
  const objects = forSite(await forHub(values), variables) as Deployment[];
  const found = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
  const env = found?.spec.template.spec.containers[0].env ?? [];
  return readConfig(READ, Object.fromEntries(env.map(({ name: one, value = '' }) => [one, value])));
}

test('a configuration that has only the bounds of scores changes only scores', async () => {
  const chart = {
    TEMPORAL_ADDRESS: 'temporal.example:7233',
    TEMPORAL_NAMESPACE: 'apps',
    SITE_OPERATOR: 'off',
    LOG_LEVEL: 'warn',
    SCORE_URL: 'http://figures.example',
  };
  expect(await toldTo(SITE_AGENT, GIVEN, {})).toEqual(chart);
  expect(await toldTo(SITE_AGENT, GIVEN, BOUNDS)).toEqual({ ...chart, ...BOUNDS });
  expect(await toldTo('cappstan-site', GIVEN, BOUNDS)).toEqual({ LOG_LEVEL: 'warn', SITE_OPERATOR: 'off' });
});

test('each variable of the configuration counts for its cluster', async () => {
  const variables = { TEMPORAL_ADDRESS: 'gateway.edge:7443', LOG_LEVEL: 'debug', SITE_OPERATOR: 'on' };
  expect(await toldTo(SITE_AGENT, GIVEN, variables)).toMatchObject(variables);
});

test('the agent claims the site operator where the chart brings it', async () => {
  expect(await toldTo(SITE_AGENT, {}, {})).toMatchObject({ SITE_OPERATOR: 'on' });
});
