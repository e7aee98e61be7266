// A real Prometheus reads every process of the stack: each panel of the dashboard has data, and alerts fire
// when their fault is planted. Faults that take minutes are planted as series, in
// monitoring/alerts.test.yaml.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { MIGRATE } from '../../../crds/labels.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { createCapp, newNamespace, readCapp, siteOf, untilReady } from '../../../testbed/capps.ts';
import { eventsAtRest } from '../../../testbed/at-rest/events.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { MONITORING, startPrometheus, type Prometheus } from '../../../testbed/programs/prometheus.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { CONTAINERS } from '../../support/builders/fleet/sets.ts';
import { METRICS } from '../../../workers/metrics/catalogue.ts';

const SOON = { withinMs: 180_000, everyMs: 250 };

let stack: TestbedStack;
let namespace: string;
let prometheus: Prometheus;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'monitor');
  prometheus = await startPrometheus(stack);
}, 480_000);
afterAll(async () => {
  for (const { metadata } of (await stack.hub.list(CAPP, { namespace })).items)
    await stack.hub.remove(CAPP, { namespace, name: metadata.name });
  await prometheus?.stop();
  await stack.close();
});

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const { panels } = JSON.parse(readFileSync(join(MONITORING, 'dashboard.json'), 'utf8')) as Dashboard;
const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));
/** While nothing fails, these have nothing to show but 0. */
const NOTHING_FAILS = ' or vector(0)';

const firing = async (name: string): Promise<true | undefined> =>
  (await prometheus.alerts()).some(({ labels, state }) => labels['alertname'] === name && state === 'firing')
    ? true
    : undefined;

/** Of those that the local stack has: nobody is told of anything there. */
test('every process is scraped, and serves the metrics that the catalogue says', async () => {
  const expected = 4 + 2 * stack.sites.length;
  await eventually(async () => {
    const up = await prometheus.query('up == 1');
    return up.length === expected ? true : undefined;
  }, SOON);
  const gauges = Object.entries(METRICS).filter(
    ([, { type, on }]) => type === 'gauge' && on.some((one) => one !== 'notifier'),
  );
  for (const [name, { on }] of gauges) {
    const series = await eventually(async () => {
      const found = await prometheus.query(name);
      return found.length === 0 ? undefined : found;
    }, SOON);
    const from = new Set(series.map(({ metric }) => processOf(metric['instance'] ?? '')));
    expect({ name, from: [...from].toSorted() }).toEqual({
      name,
      from: on.filter((one) => one !== 'notifier').toSorted(),
    });
  }
});

function processOf(instance: string): string {
  if (instance === 'hub-worker') return 'hub';
  return instance.endsWith('-operator') ? 'site' : instance.endsWith('-agent') ? 'agent' : instance;
}

test('each panel of the dashboard shows data after a rollout and a move', async () => {
  const key = { namespace, name: 'watched' };
  await createCapp(stack.hub, key);
  await untilReady(stack.hub, key);
  // The first value of a histogram only makes it appear.
  for (const id of ['one', 'two']) await moved(key, id);
  for (const [title, expr] of queries.filter(([, text]) => !text.includes('cappstan_notif'))) {
    const asked = expr.replaceAll('$__rate_interval', '5m').replace(NOTHING_FAILS, '');
    const mayBeEmpty = expr.includes(NOTHING_FAILS);
    const find = async (): Promise<{ empty: boolean } | undefined> => {
      const found = await prometheus.query(asked);
      const isNumber = found.some(({ value: [, value] }) => value !== 'NaN');
      return isNumber || mayBeEmpty ? { empty: !isNumber } : undefined;
    };
    const found = await eventually(find, SOON).catch(() => null);
    expect({ title, expr, hasData: found !== null }).toEqual({ title, expr, hasData: true });
  }
  const [verdicts] = await prometheus.query('sum(cappstan_rollouts_total{result="Ready"})');
  expect(Number(verdicts?.value[1])).toBeGreaterThanOrEqual(1);
});

/** Asks for a move to the other site, and waits for its end. */
async function moved(key: { namespace: string; name: string }, id: string): Promise<void> {
  // Nobody returns to a site that still removes an earlier copy.
  await eventsAtRest(stack.temporal.workflow.getHandle(`capp/${key.namespace}/${key.name}`));
  const capp = await readCapp(stack.hub, key);
  const before = capp.status?.migration?.lastMove?.endedAt;
  const request = `${otherSite(stack, siteOf(capp))}#${id}`;
  await stack.hub.patch(CAPP, key, { metadata: { annotations: { [MIGRATE]: request } } });
  await eventually(async () => {
    const { status } = await readCapp(stack.hub, key);
    if (status?.migration?.lastMove?.endedAt !== before) return true;
    throw new Error(`${request} is not done: ${JSON.stringify(status?.conditions)}`);
  }, SOON);
}

test('no metric has a series for each Capp', async () => {
  const before = await prometheus.query('count({__name__=~"cappstan_.*"}) by (instance)');
  for (let index = 0; index < 10; index += 1)
    await createCapp(stack.hub, { namespace, name: `many-${index}` });
  for (let index = 0; index < 10; index += 1)
    await untilReady(stack.hub, { namespace, name: `many-${index}` });
  const names = (
    await prometheus.query('count by (__name__) ({__name__=~"cappstan_.*|temporal_.*"})')
  ).filter(({ value: [, count] }) => Number(count) > 600);
  expect(names).toEqual([]);
  const text = JSON.stringify(await prometheus.query('{__name__=~"cappstan_.*|temporal_.*"}'));
  expect([before.length > 0, text.includes('many-3')]).toEqual([true, false]);
});

describe('an alert fires when its fault is planted:', () => {
  it('CappstanProcessMissing when the webhook hangs', async () => {
    await eventually(async () => ((await firing('CappstanProcessMissing')) ? undefined : true), SOON);
    await stack.freeze('webhook', async () => {
      await eventually(() => firing('CappstanProcessMissing'), SOON);
    });
    await eventually(async () => ((await firing('CappstanProcessMissing')) ? undefined : true), SOON);
  });

  it('CappstanMessagesUnreadable when somebody sends what no workflow can read', async () => {
    await stack.temporal.workflow.getHandle(`capp/${namespace}/watched`).signal('ring', null);
    await eventually(() => firing('CappstanMessagesUnreadable'), SOON);
  });

  it('CappstanSetsStalled when the Placement of a CappSet does not exist', async () => {
    const template = { spec: { configurationSpec: { template: { spec: { containers: CONTAINERS } } } } };
    const spec = { placement: 'nowhere', template };
    await stack.hub.create(CAPP_SET, { metadata: { namespace, name: 'lost' }, spec } as never);
    await eventually(() => firing('CappstanSetsStalled'), SOON);
    await stack.hub.remove(CAPP_SET, { namespace, name: 'lost' });
  });

  it('CappstanBundlesNotApplied when a site does not let the executor of a Bundle apply it', async () => {
    const metadata = { namespace: 'default', name: 'never-allowed' };
    const manifests = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } }];
    const spec = { sites: { clusters: stack.sites.slice(0, 1) }, manifests };
    await stack.hub.create(BUNDLE, { metadata: { namespace, name: 'refused' }, spec } as never);
    await eventually(() => firing('CappstanBundlesNotApplied'), SOON);
    await stack.hub.remove(BUNDLE, { namespace, name: 'refused' });
  });

  it('CappstanCappsNotReady when many images cannot be pulled', async () => {
    const all = Number((await prometheus.query('sum(cappstan_capps)'))[0]?.value[1] ?? 0);
    for (let index = 0; index < Math.max(6, all / 8); index += 1)
      await createCapp(stack.hub, { namespace, name: `never-${index}`, image: 'ghcr.io/me/never-pulls:v1' });
    await eventually(() => firing('CappstanCappsNotReady'), SOON);
  });
});

test('promtool accepts the alerts, and each fires for the series that its fault makes', async () => {
  const run = (...args: string[]) => promisify(execFile)(toolPath('promtool'), args, { cwd: MONITORING });
  await run('check', 'rules', '--lint=all', '--lint-fatal', 'alerts.yaml');
  expect((await run('test', 'rules', 'alerts.test.yaml')).stdout).toContain('SUCCESS');
}, 480_000);
