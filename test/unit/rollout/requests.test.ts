// What people ask of a set by annotation counts once, for the revision that they name, and with their name.
import { heard, type Heard } from '../../../activities/hub/rollout/requests.ts';
import { memoryOf, rememberedIn } from '../../../activities/hub/rollout/memory.ts';
import { ABORT, APPROVE, APPROVE_REMOVAL, PAUSED, requestedBy, RETRY } from '../../../crds/labels.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const setWith = (annotations: Record<string, string>, spec: object = {}): CappSet => {
  const made = aSet('shop', { paused: false, ...spec });
  return { ...made, metadata: { ...made.metadata, uid: 'set-uid', annotations } };
};
const fresh = (): Heard['memory'] => ({
  ...memoryOf(setWith({}), null),
  rollout: begin(null, 'abc', NOW - 1000),
});
const refusal = { revision: 'abc', reason: 'Rejected', message: '', at: NOW, generation: null };

test('an approval counts for the revision that it names, and says who gave it', () => {
  const annotations = { [APPROVE]: 'rest#abc', [requestedBy(APPROVE)]: 'alice' };
  const { memory, asked } = heard(setWith(annotations), fresh(), NOW);
  expect(memory.rollout.approved).toEqual(['rest']);
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

test('a person allows so many removals once', () => {
  const annotations = { [APPROVE_REMOVAL]: '60#one' };
  const { memory } = heard(setWith(annotations), fresh(), NOW);
  expect(memory.removal.allowed).toBe(60);
  const used = { ...memory, removal: { ...memory.removal, allowed: 0 } };
  expect(heard(setWith(annotations), used, NOW).memory.removal.allowed).toBe(0);
  expect(heard(setWith({ [APPROVE_REMOVAL]: 'all#one' }), fresh(), NOW).memory.removal.allowed).toBe(0);
});

test('what the status keeps is what a workflow remembers after a loss of Temporal’s data', () => {
  const asked = heard(setWith({ [APPROVE]: 'rest#abc', [APPROVE_REMOVAL]: '3#one' }), fresh(), NOW).memory;
  const memory = { ...asked, rollout: { ...asked.rollout, settled: 'old', before: 'older' } };
  const status = rememberedIn(memory);
  const set = { ...setWith({}), status } as CappSet;
  expect(memoryOf(set, null)).toEqual(memory);
  expect(memoryOf(set, { ...memory, uid: 'another-set' })).toEqual(memory);
});

/** A workflow remembers the first, and the status says the second. */
const merged = (given: object, noted: object, handled: object = {}): Heard['memory']['removal'] => {
  const memory = { ...fresh(), removal: { ...NO_REMOVAL, ...given } };
  return memoryOf({ ...setWith({}), status: { removal: noted, handled } } as CappSet, memory).removal;
};
const NO_REMOVAL = { since: 0, count: 0, allowed: 0, number: null };

test('removals that a turn noted and did not end are counted by the next one', () => {
  expect(merged({}, { since: NOW, count: 2 })).toMatchObject({ since: NOW, count: 2 });
  expect(merged({ since: NOW, count: 1 }, { since: NOW, count: 3 })).toMatchObject({ since: NOW, count: 3 });
  const later = merged({ since: NOW - 700_000, count: 4 }, { since: NOW, count: 1 });
  expect(later).toMatchObject({ since: NOW, count: 1 });
  expect(merged({ allowed: 5 }, { since: 0, count: 0, allowed: 2 })).toMatchObject({ allowed: 2 });
});

test('a status that a late try wrote takes nothing out of the count', () => {
  expect(merged({ since: NOW, count: 3 }, { since: NOW, count: 1 })).toMatchObject({ count: 3 });
  expect(merged({ since: NOW, count: 3 }, { since: NOW - 1, count: 9 })).toMatchObject({ count: 3 });
  expect(merged({ since: NOW, count: 3, number: 4 }, { since: NOW, count: 3 })).toMatchObject({ number: 4 });
});

test('what a person allowed counts once although the turn that heard it did not end', () => {
  const set = setWith({ [APPROVE_REMOVAL]: '3#one' });
  const status = { removal: { since: 0, count: 0, allowed: 1 }, handled: { removal: '3#one' } };
  const memory = memoryOf({ ...set, status }, fresh());
  const { memory: after, asked } = heard(set, { ...memory, rollout: fresh().rollout }, NOW);
  expect([after.removal.allowed, asked]).toEqual([1, []]);
});
