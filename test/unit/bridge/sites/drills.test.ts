// When the bridge starts or rings a drill, and when it leaves Temporal alone.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { keepDrills } from '../../../../bridge/sites/drills.ts';
import { ENDS_AFTER } from '../../../../crds/labels.ts';
import { DrainSpec, type Drain } from '../../../../crds/drain/drain.ts';
import type { DrainStatus } from '../../../../crds/drain/status.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aRehearsal } from '../../../support/builders/drill/drills.ts';

const drain = (spec: Partial<DrainSpec>, status?: DrainStatus, metadata: object = {}): Drain => ({
  apiVersion: '',
  kind: 'Drain',
  metadata: { name: 'site-1', uid: 'uid-1', generation: 2, ...metadata },
  spec: DrainSpec.parse(spec),
  ...(status === undefined ? {} : { status }),
});
const DRILL = { dryRun: true, rehearse: true };
const about = (observedGeneration: number): DrainStatus => ({
  rehearsal: aRehearsal({ observedGeneration }),
});

function bridge(drains: readonly Drain[], running: readonly string[] = []) {
  const calls: string[] = [];
  let listener: (change: object) => void = () => undefined;
  async function* list() {
    for (const workflowId of running) yield await Promise.resolve({ workflowId });
  }
  const signal = (id: string) => {
    calls.push(`ring ${id}`);
    return running.includes(id)
      ? Promise.resolve()
      : Promise.reject(new WorkflowNotFoundError('', id, undefined));
  };
  const workflow = {
    list,
    getHandle: (id: string) => ({ signal: () => signal(id) }),
    signalWithStart: async (type: string, { workflowId }: { workflowId: string }) =>
      void calls.push(`start ${type} ${workflowId}`),
  };
  const watched = {
    drains: {
      list: () => drains,
      get: ({ name }: { name: string }) => drains.find(({ metadata }) => metadata.name === name),
      subscribe: (hear: typeof listener) => {
        listener = hear;
        return () => undefined;
      },
    },
  };
  const kept = keepDrills(
    { workflow } as unknown as Pick<Client, 'workflow'>,
    watched as never,
    () => undefined,
  );
  return { calls, kept, change: (change: object) => listener(change) };
}

const LEFT = { annotations: { [ENDS_AFTER]: '900' }, creationTimestamp: '2026-03-01T12:00:00Z' };
const STARTED = 'start drill drill/site-1';

test.each<[string, Drain, readonly string[], readonly string[]]>([
  ['starts a drill that nobody has carried out', drain(DRILL), [], [STARTED]],
  ['rings, at its start, one that runs', drain(DRILL), ['drill/site-1'], [STARTED]],
  ['starts one of another generation', drain(DRILL, about(1)), [], [STARTED]],
  ['leaves one alone that is over', drain(DRILL, about(2)), [], []],
  [
    'starts one that deletes a dry run that has outlived its time',
    drain(DRILL, about(2), LEFT),
    [],
    [STARTED],
  ],
  ['leaves a drain alone', drain({}), [], []],
  ['leaves a drain alone, whatever it was made of', drain({}, {}, LEFT), [], []],
  ['leaves a dry run alone', drain({ dryRun: true }), [], []],
  ['starts none for a drain that would rehearse if it were a dry run', drain({ rehearse: true }), [], []],
  ['starts none for a Drain that is going', drain(DRILL, {}, { deletionTimestamp: 'now' }), [], []],
  ['rings what runs for a Drain that asks no more', drain({}), ['drill/site-1'], ['ring drill/site-1']],
])('the bridge %s', async (_, one, running, expected) => {
  const { calls, kept } = bridge([one], running);
  await kept.compare();
  if (expected.length > 0) await eventually(() => calls.length > 0 || undefined);
  await kept.stop();
  expect(calls).toEqual(expected);
});

test('the bridge starts a drill once, and none that runs', async () => {
  const { calls, kept } = bridge([drain(DRILL)], ['drill/site-1']);
  await kept.compare();
  await eventually(() => calls.length === 1 || undefined);
  await kept.compare();
  await kept.stop();
  expect(calls).toEqual([STARTED]);
});

test('the bridge rings when a drill is asked for, changed or gone, and not for its status or another Drain', async () => {
  const { calls, kept, change } = bridge([], []);
  const asked = drain(DRILL);
  change({ type: 'Modified', object: drain(DRILL, about(2)), previous: asked });
  change({ type: 'Added', object: drain({}, undefined, { name: 'other' }), previous: null });
  change({ type: 'Deleted', object: asked, previous: asked });
  await eventually(() => calls.length > 0 || undefined);
  await kept.stop();
  expect(calls).toEqual(['ring drill/site-1']);
});
