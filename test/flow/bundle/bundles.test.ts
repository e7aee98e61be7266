// The workflow of a Bundle through the bridge and a real Temporal: what rings it, how often it looks, what is
// in its history, and that it is found again after Temporal has lost its data.
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { ApplicationFailure } from '@temporalio/common';
import { BUNDLE_REVISION } from '../../../crds/labels.ts';
import { bundleWorkName } from '../../../crds/ocm/bundle-work.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { Failure } from '../../../workflows/failures.ts';
import { fleetWorkflowId } from '../../../workflows/names.ts';
import type { TurnAsk, Turned } from '../../../workflows/fleet/port.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import { aBundle, aConfigMap } from '../../support/builders/fleet/bundles.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import {
  hubInMemory,
  openBundleTestbed,
  type BundleTestbed,
  type Turn,
} from '../../support/testbeds/fleet/bundles.ts';

quietLogs();

const TURNED: Extract<Turned, { outcome: 'Turned' }> = {
  outcome: 'Turned',
  memory: memoryOf(aBundle(), null),
  isMore: false,
  minimumVersions: {},
  wakeAt: null,
  says: 'It is Ready on 1 of 1 sites.',
};

let hub: ReturnType<typeof hubInMemory>;
let testbed: BundleTestbed;
let turns: (TurnAsk & { readonly name: string })[];
let answers: (Turned | Error)[];
const turn: Turn = async ({ name }, ask) => {
  turns.push({ name, ...ask });
  const answer = answers.shift() ?? TURNED;
  if (answer instanceof Error) throw answer;
  return answer;
};

beforeEach(async () => {
  hub = hubInMemory();
  turns = [];
  answers = [];
  testbed = await openBundleTestbed('bundles', hub.watched, turn);
});
afterEach(() => testbed.close());

const count = (name: string) => turns.filter((one) => one.name === name).length;
const untilTurns = (name: string, least: number) =>
  eventually(() => (count(name) >= least ? true : undefined));
const handle = (name: string) =>
  testbed.client.workflow.getHandle(fleetWorkflowId({ kind: 'Bundle', namespace: 'apps', name }));
const isRunning = (name: string) =>
  handle(name)
    .describe()
    .then(
      ({ status }) => status.name === 'RUNNING',
      () => false,
    );
const workOf = (name: string, resourceVersion: string) => ({
  metadata: { namespace: 'site-1', name: bundleWorkName({ namespace: 'apps', name }), resourceVersion },
});
const named = (name: string, spec: object = {}, metadata: object = {}) =>
  aBundle(spec, { name, ...metadata });

test('a Bundle is looked at when it, what it reads, its site or one of its works changes, and not otherwise', async () => {
  const spec = { manifestsFrom: [{ secret: 'tls' }, { configMap: 'more' }] };
  hub.bundles.put(named('rung', spec));
  await untilTurns('rung', 1);
  hub.bundles.put(named('rung', spec, { generation: 2 }));
  await untilTurns('rung', 2);
  hub.secrets.put({ metadata: { namespace: 'apps', name: 'tls' } });
  await untilTurns('rung', 3);
  hub.configMaps.put({ metadata: { namespace: 'apps', name: 'more' } });
  await untilTurns('rung', 4);
  hub.clusters.put({ metadata: { name: 'site-1' } });
  await untilTurns('rung', 5);
  hub.works.put(workOf('rung', '77'));
  await untilTurns('rung', 6);
  expect(turns.at(-1)).toMatchObject({ minimumVersions: { ManifestWork: '77' } });
  hub.secrets.put({ metadata: { namespace: 'apps', name: 'another' } });
  hub.works.put({ metadata: { namespace: 'site-1', name: 'mw-create-apps-rung', resourceVersion: '78' } });
  hub.bundles.put({ ...named('rung', spec, { generation: 2 }), status: { revision: 'abc' } });
  hub.bundles.put(named('beside'));
  await untilTurns('beside', 1);
  expect(count('rung')).toBe(6);
  const going = { generation: 2, deletionTimestamp: '2026-03-01T12:00:00Z' };
  hub.bundles.put(named('rung', spec, { ...going, finalizers: ['ours', 'orphan'] }));
  await untilTurns('rung', 7);
  hub.bundles.put(named('rung', spec, { ...going, finalizers: ['ours'] }));
  await untilTurns('rung', 8);
});

test('a Bundle that follows a Placement is looked at when its decision changes, and when any site is lost', async () => {
  const { sites: _sites, ...spec } = named('placed').spec;
  hub.bundles.put({ ...named('placed'), spec: { ...spec, placement: 'edge' } });
  await untilTurns('placed', 1);
  const labels = { 'cluster.open-cluster-management.io/placement': 'edge' };
  const decision = { metadata: { namespace: 'p', name: 'edge-1', labels, resourceVersion: '41' } };
  hub.decisions.put(decision);
  await untilTurns('placed', 2);
  expect(turns.at(-1)).toMatchObject({ minimumVersions: { PlacementDecision: '41' } });
  hub.clusters.put({ metadata: { name: 'site-9', resourceVersion: '42' } });
  await untilTurns('placed', 3);
  expect(turns.at(-1)).toMatchObject({ minimumVersions: { ManagedCluster: '42' } });
});

async function untilTimer(name: string, isIt: (seconds: number) => boolean): Promise<void> {
  await eventually(async () => {
    const { events } = await handle(name).fetchHistory();
    const seconds = (events ?? []).map(({ timerStartedEventAttributes: timer }) =>
      Number(timer?.startToFireTimeout?.seconds ?? 0),
    );
    return seconds.some(isIt) ? true : undefined;
  });
}

test('a burst of changed works is one look, and a rest has one timer', async () => {
  hub.bundles.put(named('burst'));
  await untilTurns('burst', 1);
  for (let version = 100; version < 140; version += 1) hub.works.put(workOf('burst', String(version)));
  await untilTurns('burst', 2);
  expect(turns.at(-1)).toMatchObject({ minimumVersions: { ManifestWork: '139' } });
  expect(count('burst')).toBeLessThanOrEqual(3);
  const { events = [] } = await handle('burst').fetchHistory();
  expect(
    (events ?? []).filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes != null).length,
  ).toBeLessThanOrEqual(count('burst'));
});

test('a turn with more sites goes on at once, by the server and with caches that have seen what was written', async () => {
  answers = [{ ...TURNED, isMore: true, minimumVersions: { ManifestWork: '500' } }];
  hub.bundles.put(named('many'));
  await untilTurns('many', 2);
  expect(turns.slice(0, 2)).toMatchObject([
    { minimumVersions: {}, most: 20, isAgain: false, memory: null },
    { minimumVersions: { ManifestWork: '500' }, most: 100, isAgain: false, memory: TURNED.memory },
  ]);
});

test('caches that are behind are waited for, and a turn that fails is tried until it is done', async () => {
  const gone = ApplicationFailure.create({ type: Failure.Unreachable, message: 'no answer' });
  answers = [{ outcome: 'Behind' }, gone, gone, TURNED];
  hub.bundles.put(named('behind'));
  await untilTurns('behind', 4);
  // What the failed try has written is not missed.
  expect(turns.map(({ isAgain }) => isAgain)).toEqual([false, false, true, true]);
  await untilTimer('behind', (seconds) => seconds > 80_000);
});

test('no manifest and no message of the site is in the history', async () => {
  hub.bundles.put(named('secretive', { manifests: [aConfigMap({ color: 'canary-value' })] }));
  await untilTurns('secretive', 1);
  const text = JSON.stringify(historyToJSON(await handle('secretive').fetchHistory()));
  expect(text).toContain('bundle/apps/secretive');
  for (const form of ['canary-value', btoa('canary-value').slice(0, 12)]) expect(text).not.toContain(form);
});

test('a deleted Bundle is looked at until nothing is left, and its workflow ends', async () => {
  answers = [TURNED, { ...TURNED, wakeAt: Date.now() + 600_000 }, { outcome: 'Gone' }];
  const bundle = named('deleted');
  hub.works.put(workOf('deleted', '1'));
  hub.bundles.put(bundle);
  await untilTurns('deleted', 1);
  const before = count('deleted');
  hub.bundles.put({ ...bundle, metadata: { ...bundle.metadata, deletionTimestamp: 'now' } });
  await untilTurns('deleted', before + 1);
  hub.works.drop(workOf('deleted', '2'));
  hub.bundles.drop(bundle);
  await eventually(async () => ((await isRunning('deleted')) ? undefined : true));
});

test('a turn that is refused for good is tried again after a minute', async () => {
  answers = [ApplicationFailure.create({ type: Failure.Forbidden, message: 'no', nonRetryable: true })];
  hub.bundles.put(named('stays'));
  await untilTimer('stays', (seconds) => seconds === 60);
});

test('after a loss of Temporal’s data every Bundle has its workflow again, and so has one that left works', async () => {
  await testbed.close();
  hub = hubInMemory();
  hub.bundles.put({ ...named('again'), status: { observedGeneration: 1 } });
  const left = workOf('left', '1');
  hub.works.put({ metadata: { ...left.metadata, annotations: { [BUNDLE_REVISION]: 'abc' } } });
  // Nobody of ours has made this one.
  hub.works.put(workOf('others', '1'));
  testbed = await openBundleTestbed('bundles-again', hub.watched, turn);
  answers = [];
  await testbed.bridge.compare();
  await untilTurns('again', 1);
  await untilTurns('left', 1);
  expect(count('others')).toBe(0);
  await eventually(async () => ((await isRunning('again')) ? true : undefined));
});
