// Which workflows of CappSets and Bundles the bridge rings or starts when it compares, and which ends by
// itself.
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { keepFleets, type CallOwner, type KeptKind, type KeptObject } from '../../../../bridge/fleet/keep.ts';
import { keyText } from '../../../../kube/resource.ts';

const OLD = '2026-03-01T12:00:00Z';
const READY = { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] };

function object(name: string, status: object = READY, creationTimestamp = OLD): KeptObject {
  return { metadata: { namespace: 'apps', name, generation: 1, creationTimestamp }, status };
}

/**
 * `running`: ids of workflows; `earlier`: of those of an earlier version, which Temporal does not let end if
 * `isLocked`. `left`: keys of Bundles that are gone and have left works.
 */
function bridge(
  sets: readonly KeptObject[],
  running: readonly string[],
  { left = [] as readonly string[], earlier = [] as readonly string[], isLocked = false } = {},
) {
  const sent: string[] = [];
  let call: CallOwner = () => undefined;
  const kind = (of: KeptKind['kind'], objects: readonly KeptObject[], gone: readonly string[]): KeptKind => ({
    kind: of,
    list: () => objects,
    get: (key) =>
      objects.find(({ metadata: { namespace = '', name } }) => keyText({ namespace, name }) === keyText(key)),
    leftBy: () => new Set(gone),
    listen: (given) => {
      if (of === 'CappSet') call = given;
      return () => undefined;
    },
  });
  const workflow = {
    list: async function* list({ query }: { query: string }) {
      for (const workflowId of query.includes("'fleet'") ? running : earlier) yield { workflowId };
    },
    signalWithStart: async (type: string, { workflowId }: { workflowId: string }) =>
      void sent.push(`start ${type} ${workflowId}`),
    getHandle: (workflowId: string) => ({
      terminate: async () => {
        if (isLocked) throw new Error(`${workflowId} is not to be ended`);
        sent.push(`terminate ${workflowId}`);
      },
      signal: async () => {
        sent.push(`signal ${workflowId}`);
        throw new WorkflowNotFoundError('it has ended', workflowId, undefined);
      },
    }),
  };
  const errors: string[] = [];
  const kinds = [kind('CappSet', sets, []), kind('Bundle', [], left)];
  const kept = keepFleets({ workflow } as unknown as Client, kinds, (id) => void errors.push(id));
  const settled = async (): Promise<string[]> => {
    await new Promise((resolve) => void setImmediate(resolve));
    expect(errors.splice(0)).toEqual(isLocked ? earlier : []);
    return sent.splice(0).toSorted();
  };
  return {
    compare: async () => {
      await kept.compare();
      return settled();
    },
    call: async (name: string) => {
      call({ metadata: { namespace: 'apps', name } }, null, null);
      return settled();
    },
  };
}

const START = 'start fleet cappset/apps/shop';

test('a set without a workflow gets one, but for one that was made a moment ago', async () => {
  expect(await bridge([object('shop')], []).compare()).toEqual([START]);
  const newborn = object('shop', READY, new Date().toISOString());
  const kept = bridge([newborn], []);
  await kept.compare();
  expect(await kept.compare()).toEqual([]);
});

test('a set whose newest generation nobody has seen is rung each time, and one that is not Ready the first time', async () => {
  const unseen = bridge([object('shop', { ...READY, observedGeneration: 0 })], ['cappset/apps/shop']);
  expect([await unseen.compare(), await unseen.compare()]).toEqual([[START], [START]]);
  const unready = bridge([object('shop', { observedGeneration: 1 })], ['cappset/apps/shop']);
  expect([await unready.compare(), await unready.compare()]).toEqual([[START], []]);
});

test('a workflow whose set is gone is rung, and is not started again if it has ended', async () => {
  expect(await bridge([], ['cappset/apps/shop', 'bundle/apps/base']).compare()).toEqual([
    'signal bundle/apps/base',
    'signal cappset/apps/shop',
  ]);
  expect(await bridge([], []).call('shop')).toEqual(['signal cappset/apps/shop']);
});

test('a Bundle that is gone and has left works has a workflow that deletes them', async () => {
  expect(await bridge([], [], { left: ['apps/base'] }).compare()).toEqual(['start fleet bundle/apps/base']);
  expect(await bridge([], ['bundle/apps/base'], { left: ['apps/base'] }).compare()).toEqual([
    'start fleet bundle/apps/base',
  ]);
});

test('a run of an earlier version is ended, and its set gets a workflow of today', async () => {
  const sent = await bridge([object('shop')], [], { earlier: ['cappset/apps/shop'] }).compare();
  // The first ring is lost with the earlier run, and the second starts one of today.
  expect(sent).toEqual([START, START, 'terminate cappset/apps/shop']);
});

test('a run of an earlier version that Temporal does not let end is reported, and keeps nothing from the others', async () => {
  const locked = { earlier: ['cappset/apps/old', 'cappset/apps/older'], isLocked: true };
  expect(await bridge([object('shop')], [], locked).compare()).toEqual([START]);
});

test('a run whose id is of another kind, or of none, is left alone', async () => {
  expect(await bridge([], ['sip/metal/edge-7', 'anything', 'cappset/apps/shop/more']).compare()).toEqual([]);
  const earlier = ['sip/metal/edge-7', 'anything'];
  expect(await bridge([], [], { earlier }).compare()).toEqual(
    earlier.map((id) => `terminate ${id}`).toSorted(),
  );
});
