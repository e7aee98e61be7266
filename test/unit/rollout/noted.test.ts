// What is about to be removed is in the status first, with who allowed it; and nothing is written when
// nothing has to be.
import { noteRemovals } from '../../../activities/hub/rollout/noted.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import type { Kube } from '../../../kube/client.ts';
import type { RemovalMemory } from '../../../workflows/stages/memory.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { NO_REMOVAL } from '../../support/builders/fleet/rollouts.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const REQUEST = { what: 'removal', request: '3#one', by: 'alice', at: new Date(NOW).toISOString() };
const COUNTED: RemovalMemory = { ...NO_REMOVAL, recent: [{ minute: NOW, count: 2 }] };
const SAID = { since: NOW, count: 2, recent: [{ minute: NOW, count: 2 }] };

function noting({ status = {}, removal = COUNTED, clusters = ['a', 'b'], live = '7' } = {}) {
  const made = aSet('shop', {});
  const set: CappSet = { ...made, metadata: { ...made.metadata, uid: 'u', resourceVersion: '7' }, status };
  const written: unknown[] = [];
  const apply = (_kind: unknown, object: unknown) => {
    written.push(object);
    return Promise.resolve(object);
  };
  const counting = {
    memory: { ...memoryOf(set, null), rollout: begin(null, 'abc', NOW), removal },
    asked: [REQUEST],
    released: { clusters },
    fieldManager: 'test',
  };
  const getMetadata = async () => ({ metadata: { ...set.metadata, resourceVersion: live } });
  const kube = { apply, getMetadata } as unknown as Pick<Kube, 'apply' | 'getMetadata'>;
  const noted = noteRemovals(kube, CAPP_SET, set, counting);
  return { noted, written };
}

test('the count and the request are added to what the status says, as it was read', async () => {
  const { noted, written } = noting({ status: { ready: 4, asked: [{ what: 'retry', request: '#1' }] } });
  expect(await noted).toMatchObject({ asked: [] });
  expect(written).toEqual([
    {
      metadata: { name: 'shop', namespace: 'apps', uid: 'u', resourceVersion: '7' },
      status: expect.objectContaining({
        ready: 4,
        removal: SAID,
        asked: [{ what: 'retry', request: '#1' }, REQUEST],
      }) as unknown,
    },
  ]);
});

test('also one copy is counted before it goes', async () => {
  const { noted, written } = noting({ clusters: ['a'] });
  await noted;
  expect(written).toHaveLength(1);
});

test('nothing is written when nothing is removed, or when the count is there already', async () => {
  const nothing = noting({ clusters: [] });
  expect(await nothing.noted).toMatchObject({ asked: [REQUEST] });
  const known = noting({ status: { removal: SAID } });
  expect(await known.noted).toMatchObject({ asked: [REQUEST] });
  const named = noting({ removal: NO_REMOVAL });
  expect(await named.noted).toMatchObject({ asked: [REQUEST] });
  expect([...nothing.written, ...known.written, ...named.written]).toEqual([]);
});

test.each([
  ['whose count is there already', { status: { removal: SAID } }],
  ['that needs no count, since people named the sites', { removal: NO_REMOVAL }],
])(
  'a removal %s is a Conflict when somebody has paused the set meanwhile, or named the sites again',
  async (_what, given) => {
    const { noted, written } = noting({ ...given, live: '8' });
    await expect(noted).rejects.toMatchObject({ code: 409, reason: 'Conflict' });
    expect(written).toEqual([]);
  },
);
