// What a rollout remembers stands in the status whole: a hub worker that begins anew, or a workflow that is
// started over, must neither let more go than was allowed nor forget what was.
import { memoryOf, rememberedIn, withWholeNames } from '../../../activities/hub/rollout/memory.ts';
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import type { RemovalMemory } from '../../../workflows/stages/memory.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';
import { aRollout, NO_REMOVAL } from '../../support/builders/fleet/rollouts.ts';

const UID = 'set-uid';
const memory = memoryOf({ metadata: { uid: UID } }, null);
const again = (removal: RemovalMemory, rollout: Rollout | null = null) =>
  memoryOf({ metadata: { uid: UID }, status: rememberedIn({ ...memory, removal, rollout }) }, null);

test.each<[string, Partial<RemovalMemory>]>([
  ['nothing', {}],
  ['removals of the last minutes', { recent: [{ minute: 60_000, count: 3, of: 40 }] }],
  ['what a person has allowed', { allowed: 2, approved: 'abc' }],
  ['the number of a Placement', { number: 7, placement: 'uid-1' }],
  ['by how much that was lowered', { number: 5, placement: 'uid-1', lowered: 2 }],
])('of removals %s is read as it was written', (_what, changes) => {
  const removal = { ...NO_REMOVAL, ...changes };
  expect(again(removal).removal).toEqual(removal);
});

test.each<[string, Partial<Rollout>]>([
  ['on its way', { approved: ['canary'], closed: ['canary'], halfway: ['older'] }],
  ['that goes back', { direction: 'Back', cause: 'It failed.', before: 'older' }],
  ['that was stopped', { aborted: true, paused: true, retries: { s1: 7 } }],
])('a rollout %s is read as it was written', (_which, changes) => {
  const rollout = aRollout(changes);
  expect(again(NO_REMOVAL, rollout).rollout).toEqual(rollout);
});

test('the write that ends retries says nothing of them, since no API server empties a map of a status, and the next one has the empty map that earlier hubs read', () => {
  const rollout = aRollout({ retries: {} });
  const said = (before: RolloutFields) => rememberedIn({ ...memory, rollout }, before);
  const ending = said(rememberedIn({ ...memory, rollout: aRollout({ retries: { s1: 7 } }) }));
  expect(Object.keys(ending.rollout ?? {})).not.toContain('retries');
  expect(memoryOf({ metadata: { uid: UID }, status: ending }, null).rollout?.retries).toEqual({});
  const ended = said(ending);
  expect(ended.rollout?.retries).toEqual({});
  expect(said(ended)).toEqual(ended);
  expect(said({}).rollout?.retries).toEqual({});
});

test('an approval without the sites that it was for, as an earlier version kept it, allows nothing', () => {
  const status = { removal: { since: 0, count: 0, allowed: 3 } };
  expect(memoryOf({ metadata: { uid: UID }, status }, null).removal.allowed).toBe(0);
});

test('of what a workflow says nothing counts that is of another object of the name', () => {
  const refused = { s1: { revision: 'r', reason: 'Refused', message: '', at: 0, generation: null } };
  const given = { ...memory, refused, leaving: { digest: 'abc', since: 7 }, stuck: ['s1'] };
  expect(memoryOf({ metadata: { uid: UID } }, given)).toMatchObject({ refused, stuck: ['s1'] });
  expect(memoryOf({ metadata: { uid: 'next' } }, given)).toMatchObject({ refused: {}, leaving: null });
  expect(memoryOf({ metadata: { uid: 'next' } }, given).stuck).toBeUndefined();
});

test('what a workflow says of removals that were allowed counts for nothing: only the status does', () => {
  const removal = { ...NO_REMOVAL, allowed: 9, approved: 'abc', lowered: 9 };
  expect(memoryOf({ metadata: { uid: UID } }, { ...memory, removal }).removal).toEqual(NO_REMOVAL);
});

test('every revision that a rollout names gets its whole name, those too that never came to their end', () => {
  const wholes = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(32));
  const [revision = '', settled = '', before = '', older = ''] = wholes.map((whole) => whole.slice(0, 10));
  const rollout = aRollout({ revision, settled, before, halfway: [older] });
  expect(withWholeNames(rollout, wholes)).toMatchObject({
    revision: wholes[0],
    settled: wholes[1],
    before: wholes[2],
    halfway: [wholes[3]],
  });
});
