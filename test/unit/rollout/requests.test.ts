// What people ask of a set by annotation counts once, for the revision that they name, and with their name.
import { heard, type HeardRequests } from '../../../activities/hub/rollout/requests.ts';
import { heldSetOf, memoryOf, rememberedIn } from '../../../activities/hub/rollout/memory.ts';
import { USUAL_STRATEGY } from '../../../activities/hub/rollout/usual-strategy.ts';
import { ABORT, APPROVE, APPROVE_REMOVAL, PAUSED, requestedBy, RETRY } from '../../../crds/labels.ts';
import type { RemovalStatus } from '../../../crds/rollout/status.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { NO_REMOVAL } from '../../support/builders/fleet/rollouts.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const setWith = (annotations: Record<string, string>, spec: object = {}): CappSet => {
  const made = aSet('shop', { paused: false, ...spec });
  return { ...made, metadata: { ...made.metadata, uid: 'set-uid', annotations } };
};
const fresh = (): HeardRequests['memory'] => ({
  ...memoryOf(setWith({}), null),
  rollout: begin(null, 'abc', NOW - 1000),
});
const refusal = { revision: 'abc', reason: 'Rejected', message: '', at: NOW, generation: null };

test('an approval counts for the revision that it names, and says who gave it', () => {
  const annotations = { [APPROVE]: 'rest#abc', [requestedBy(APPROVE)]: 'alice' };
  const { memory, asked } = heard(setWith(annotations), fresh(), NOW);
  expect(memory.rollout.approved).toEqual(['rest']);
  // It has no checks of which anything could be inconclusive.
  expect(memory.rollout.decided).toBeUndefined();
  expect(asked).toEqual([
    { what: 'approve', request: 'rest#abc', by: 'alice', at: new Date(NOW).toISOString() },
  ]);
  expect(heard(setWith(annotations), memory, NOW)).toEqual({ memory, asked: [] });
  expect(heard(setWith({ [APPROVE]: 'rest#other' }), fresh(), NOW).memory.rollout.approved).toEqual([]);
});

test('an approval that lingers does not approve the same revision again after a retry', () => {
  const annotations = { [APPROVE]: 'rest#abc', [ABORT]: 'abc#1' };
  const aborted = heard(setWith(annotations), fresh(), NOW).memory;
  expect(aborted.rollout).toMatchObject({ aborted: true, approved: ['rest'] });
  const again = heard(setWith({ ...annotations, [RETRY]: '#2' }), aborted, NOW).memory;
  expect(again.rollout).toMatchObject({ aborted: false, approved: [] });
  expect(heard(setWith({ ...annotations, [RETRY]: '#2' }), again, NOW).memory.rollout).toEqual(again.rollout);
});

test('after a retry from the first stage a person approves it once more, by another word behind the revision', () => {
  const approvedAs = (value: string) => setWith({ [APPROVE]: value, [ABORT]: 'abc#1', [RETRY]: '#2' });
  const again = heard(approvedAs('rest#abc'), fresh(), NOW).memory;
  expect(again.rollout).toMatchObject({ aborted: false, approved: [] });
  const { memory, asked } = heard(approvedAs('rest#abc/3'), again, NOW);
  expect(memory.rollout.approved).toEqual(['rest']);
  expect(asked).toMatchObject([{ what: 'approve', request: 'rest#abc/3' }]);
  expect(heard(approvedAs('rest#other/3'), again, NOW).memory.rollout.approved).toEqual([]);
});

/** Of a set whose strategy nobody can read. */
const unread = (value: string): CappSet => {
  const set = setWith({ [APPROVE]: value });
  return { ...set, spec: { ...set.spec, strategy: USUAL_STRATEGY } };
};
const editedTo = (memory: HeardRequests['memory'], revision: string): HeardRequests['memory'] => ({
  ...memory,
  rollout: begin(memory.rollout, revision, NOW),
});

test.each([
  ['has counted', setWith({ [APPROVE]: 'rest#abc' })],
  ['has waited, since nobody could read the strategy,', unread('rest#abc')],
])('an approval that %s does not count when its revision comes back after another one', (_how, approved) => {
  const first = heard(approved, fresh(), NOW).memory;
  const other = heard(setWith({ [APPROVE]: 'rest#abc' }), editedTo(first, 'other'), NOW).memory;
  const { memory, asked } = heard(setWith({ [APPROVE]: 'rest#abc' }), editedTo(other, 'abc'), NOW);
  expect([memory.rollout.approved, asked]).toEqual([[], []]);
});

test('an approval that comes after its revision was superseded counts for no later rollout, even of that one', () => {
  const late = setWith({ [APPROVE]: 'rest#abc' });
  const other = editedTo(fresh(), 'other');
  const after = heard(late, heard(setWith({}), other, NOW).memory, NOW).memory;
  const settled = { ...after, rollout: { ...after.rollout, settled: 'other', halfway: [] } };
  const back = heard(late, editedTo(settled, 'abc'), NOW).memory;
  expect(back.rollout.approved).toEqual([]);
  expect(heard(setWith({ [APPROVE]: 'rest#abc/2' }), back, NOW).memory.rollout.approved).toEqual(['rest']);
});

test('an approval of a revision that has never begun waits for it', () => {
  const early = setWith({ [APPROVE]: 'rest#next' });
  const before = heard(early, fresh(), NOW).memory;
  expect(heard(early, editedTo(before, 'next'), NOW).memory.rollout.approved).toEqual(['rest']);
});

test('a request to stop counts for the revision that it names, and for no other', () => {
  const abortedBy = (value: string) =>
    heard(setWith({ [ABORT]: value }), fresh(), NOW).memory.rollout.aborted;
  expect(['abc#1', 'other#1', '#1'].map(abortedBy)).toEqual([true, false, false]);
});

test('a retry of one site forgets why that one was refused, and no other', () => {
  const memory = { ...fresh(), refused: { a: refusal, b: refusal } };
  const one = heard(setWith({ [RETRY]: 'a#1' }), memory, NOW).memory;
  expect(Object.keys(one.refused)).toEqual(['b']);
  expect(one.rollout.retries).toEqual({ a: NOW });
  expect(heard(setWith({ [RETRY]: '#2' }), one, NOW).memory.refused).toEqual({});
});

test('a set is paused by its spec or by annotation, until neither says so', () => {
  const paused = heard(setWith({ [PAUSED]: 'true' }), fresh(), NOW).memory;
  expect(paused.rollout.paused).toBe(true);
  expect(heard(setWith({}, { paused: true }), fresh(), NOW).memory.rollout.paused).toBe(true);
  expect(heard(setWith({ [PAUSED]: 'false' }), paused, NOW).memory.rollout.paused).toBe(false);
});

/** As if exactly these sites were held. */
const HELD = { digest: 'abc1234567', since: NOW - 60_000 };
/** As the status of that set names them. */
const NAMED = heldSetOf({ uid: 'set-uid', leaving: HELD });

test('a person allows so many removals once, of the sites that they name', () => {
  const annotations = { [APPROVE_REMOVAL]: `60#${NAMED}` };
  const of = (value: string, leaving: typeof HELD | null = HELD) =>
    heard(setWith({ [APPROVE_REMOVAL]: value }), { ...fresh(), leaving }, NOW).memory.removal.allowed;
  const { memory } = heard(setWith(annotations), { ...fresh(), leaving: HELD }, NOW);
  expect(memory.removal).toMatchObject({ allowed: 60, approved: HELD.digest });
  const used = { ...memory, removal: { ...memory.removal, allowed: 0 } };
  expect(heard(setWith(annotations), used, NOW).memory.removal.allowed).toBe(0);
  expect(of(`60#${NAMED}/again`)).toBe(60);
  const others = [`all#${NAMED}`, '60#other', `60#${NAMED.slice(1)}`, `0#${NAMED}`, `60#${HELD.digest}`];
  expect(others.map((value) => of(value))).toEqual([0, 0, 0, 0, 0]);
  expect([of(`60#${NAMED}`, null), of('60#', null)]).toEqual([0, 0]);
});

test('what a person allowed of a set lets nothing go of one that is made again under its name, with the same annotation', () => {
  const again = setWith({ [APPROVE_REMOVAL]: `60#${NAMED}` });
  const memory = { ...fresh(), uid: 'another-uid', leaving: HELD };
  expect(heard(again, memory, NOW)).toEqual({ memory, asked: [] });
});

test('what the status keeps is what a workflow remembers after a loss of Temporal’s data', () => {
  const approval = `3#${NAMED}`;
  const asking = setWith({ [APPROVE]: 'rest#abc', [APPROVE_REMOVAL]: approval });
  const asked = heard(asking, { ...fresh(), leaving: HELD }, NOW).memory;
  const recent = [{ minute: NOW, count: 2 }];
  const removal = { ...asked.removal, recent, number: 12, placement: 'p', lowered: 4 };
  const rollout = { ...asked.rollout, settled: 'old', before: 'older' };
  const memory = { ...asked, leaving: null, rollout, removal };
  const status = rememberedIn(memory);
  const set = { ...setWith({}), status } as CappSet;
  expect(memoryOf(set, null)).toEqual(memory);
  expect(memoryOf(set, { ...memory, uid: 'another-set' })).toEqual(memory);
});

/** A workflow remembers the first, and the status says the second. */
const remembered = (given: object, noted: RemovalStatus, handled: object = {}): RolloutMemory => {
  const memory = { ...fresh(), ...given };
  return memoryOf({ ...setWith({}), status: { removal: noted, handled } }, memory);
};
const counted = (...counts: readonly number[]) =>
  counts.map((count, index) => ({ minute: NOW - index * 60_000, count }));
const saying = (recent: RemovalStatus['recent'], more: object = {}): RemovalStatus => ({
  since: 0,
  count: 0,
  ...(recent === undefined ? {} : { recent }),
  ...more,
});

test('what a workflow remembers of removals counts nothing beside the status, whoever wrote it', () => {
  const forged = { ...NO_REMOVAL, recent: counted(9), allowed: 500, approved: 'x', number: 1, lowered: 400 };
  const noted = saying(counted(2), { number: 12 });
  expect(remembered({ removal: forged }, noted).removal).toEqual({
    ...NO_REMOVAL,
    recent: counted(2),
    number: 12,
  });
  const allowed = saying([], { allowed: 2, approved: 'x', lowered: 2 });
  expect(remembered({ removal: forged }, allowed).removal).toMatchObject({ allowed: 2, lowered: 2 });
});

test('what a workflow remembers of a rollout and of answered requests counts nothing beside the status', () => {
  const rollout = { ...fresh().rollout, approved: ['rest'] };
  const handled = { approve: 'rest#abc', abort: '', retry: '', removal: '' };
  const { rollout: found, handled: answered } = remembered({ rollout, handled }, saying([]));
  expect(found).toBeNull();
  expect(answered).toEqual({ approve: '', abort: '', retry: '', removal: '' });
});

test('a workflow remembers for itself since when sites leave, and what was refused of the same object', () => {
  const own = { leaving: HELD, refused: { a: refusal } };
  expect(remembered(own, saying([]))).toMatchObject(own);
  expect(remembered({ ...own, uid: 'another-set' }, saying([]))).toMatchObject({
    leaving: null,
    refused: {},
  });
});

test('what an earlier version counted in one sum is counted, and what it allowed of unknown sites is not', () => {
  const before = { since: NOW, count: 3, allowed: 7, number: 12 };
  const removal = { ...NO_REMOVAL, recent: [{ minute: NOW, count: 3 }], number: 12 };
  expect(memoryOf({ ...setWith({}), status: { removal: before } }, null).removal).toEqual(removal);
});

test('what a person allowed counts once although the turn that heard it did not end', () => {
  const value = `3#${NAMED}`;
  const set = setWith({ [APPROVE_REMOVAL]: value });
  const status = { removal: saying([], { allowed: 1, approved: 'rest' }), handled: { removal: value } };
  const memory = memoryOf({ ...set, status }, { ...fresh(), leaving: HELD });
  const { memory: after, asked } = heard(set, { ...memory, rollout: fresh().rollout }, NOW);
  expect([after.removal.allowed, after.removal.approved, asked]).toEqual([1, 'rest', []]);
});
