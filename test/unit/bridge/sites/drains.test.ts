// When the bridge starts or rings the workflow of a Drain, and when it leaves Temporal alone.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { keepDrains } from '../../../../bridge/sites/drains.ts';
import { DrainSpec, type Drain } from '../../../../crds/drain/drain.ts';
import type { DrainStatus } from '../../../../crds/drain/status.ts';
import { eventually } from '../../../../testbed/eventually.ts';

const drain = (name: string, status?: DrainStatus, metadata: object = {}): Drain => ({
  apiVersion: '',
  kind: 'Drain',
  metadata: { name, uid: `uid-${name}`, generation: 1, ...metadata },
  spec: DrainSpec.parse({}),
  ...(status === undefined ? {} : { status }),
});
const saying = (status: 'True' | 'False', observedGeneration = 1): DrainStatus => ({
  observedGeneration,
  conditions: [
    { type: 'Complete', status, reason: 'Done', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' },
  ],
});

/** A bridge with these Drains, beside these running workflows. */
function bridge(drains: readonly Drain[], running: readonly string[] = []) {
  const calls: string[] = [];
  let listener: (change: object) => void = () => undefined;
  async function* list({ query }: { readonly query: string }) {
    for (const workflowId of running)
      if (query.includes(`'${workflowId.split('/')[0]}'`)) yield await Promise.resolve({ workflowId });
  }
  const signal = (id: string) => {
    calls.push(`ring ${id}`);
    return running.includes(id)
      ? Promise.resolve()
      : Promise.reject(new WorkflowNotFoundError('', id, undefined));
  };
  const start = async (type: string, { workflowId, args }: { workflowId: string; args: unknown[] }) =>
    void calls.push(`start ${type} ${workflowId} ${JSON.stringify(args)}`);
  const workflow = {
    list,
    getHandle: (id: string) => ({
      signal: () => signal(id),
      terminate: async () => void calls.push(`end ${id}`),
    }),
    signalWithStart: start,
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
  const errors: unknown[] = [];
  const kept = keepDrains({ workflow } as unknown as Pick<Client, 'workflow'>, watched as never, (_, error) =>
    errors.push(error),
  );
  return { calls, errors, kept, change: (change: object) => listener(change) };
}

const STARTED = 'start turns turns/site-1 [{"cluster":"site-1"}]';

describe('the bridge', () => {
  test.each<[string, Drain, readonly string[], readonly string[]]>([
    ['starts the workflow of a Drain that nobody has looked at', drain('site-1'), [], [STARTED]],
    ['starts one that is lost on its way', drain('site-1', saying('False')), [], [STARTED]],
    [
      'rings, at its start, one that may have been begun by an earlier version',
      drain('site-1', saying('False')),
      ['turns/site-1'],
      [STARTED],
    ],
    ['does not start a drain that is over again', drain('site-1', saying('True')), [], []],
    [
      'rings when a drain that is over is asked for otherwise',
      drain('site-1', saying('True', 0)),
      [],
      [STARTED],
    ],
  ])('%s', async (_title, one, running, calls) => {
    const stage = bridge([one], running);
    await stage.kept.compare();
    await stage.kept.stop();
    expect(stage.calls).toEqual(calls);
    expect(stage.errors).toEqual([]);
  });

  test.each<[string, Drain, readonly string[]]>([
    ['leaves one alone that runs and has heeded its Drain', drain('site-1', saying('False')), []],
    ['rings one whose Drain has changed unheard', drain('site-1', saying('False', 0)), [STARTED]],
  ])('later %s', async (_title, one, calls) => {
    const stage = bridge([one], ['turns/site-1']);
    await stage.kept.compare();
    await eventually(() => (stage.calls.length === 1 ? true : undefined));
    stage.calls.length = 0;
    await stage.kept.compare();
    await stage.kept.stop();
    expect(stage.calls).toEqual(calls);
  });

  test('rings a drain that has no Drain at once, and then once in ten minutes, since Capps may have begun it', async () => {
    const stage = bridge([], ['turns/site-1', 'turns/of/others']);
    await stage.kept.compare();
    await eventually(() => (stage.calls.length === 1 ? true : undefined));
    await stage.kept.compare();
    await stage.kept.stop();
    expect(stage.calls).toEqual(['ring turns/site-1']);
  });

  test('ends what still runs of earlier versions', async () => {
    const stage = bridge([], ['drain/site-1', 'plan/site-1/today']);
    await stage.kept.compare();
    await stage.kept.stop();
    expect(stage.calls).toEqual(['end drain/site-1', 'end plan/site-1/today']);
  });

  test('leaves what still runs of earlier versions for CappSets and Bundles to who ends it', async () => {
    const { calls, kept } = bridge([], ['cappSet/apps/shop', 'bundle/apps/base']);
    await kept.compare();
    expect(calls).toEqual([]);
    await kept.stop();
  });

  test.each<[string, object, readonly string[]]>([
    ['is created', { type: 'Added', object: drain('site-1'), previous: null }, [STARTED]],
    [
      'is changed',
      { type: 'Modified', object: drain('site-1'), previous: drain('site-1', undefined, { generation: 0 }) },
      [STARTED],
    ],
    [
      'is replaced by another',
      { type: 'Modified', object: drain('site-1'), previous: drain('site-1', undefined, { uid: 'x' }) },
      [STARTED],
    ],
    [
      'reports how far it is',
      { type: 'Modified', object: drain('site-1', saying('False')), previous: drain('site-1') },
      [],
    ],
  ])('of a Drain that %s, does %j', async (_title, change, calls) => {
    const stage = bridge([drain('site-1')]);
    stage.change(change);
    await stage.kept.stop();
    expect(stage.calls).toEqual(calls);
  });

  test('rings the workflow of a Drain that is deleted, and starts none for it', async () => {
    const stage = bridge([]);
    stage.change({ type: 'Deleted', object: drain('site-1'), previous: drain('site-1') });
    await stage.kept.stop();
    expect(stage.calls).toEqual(['ring turns/site-1']);
    expect(stage.errors).toEqual([]);
  });
});
