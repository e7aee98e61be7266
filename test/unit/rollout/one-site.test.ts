// The guard against mass removal where a Placement selects one site: each change of its decision is a move.
import type { LeavingCopies } from '../../../activities/hub/rollout/removing/removals.ts';
import { held, leaving, MINUTE, NOW } from '../../support/builders/fleet/removals.ts';
import { NO_REMOVAL } from '../../support/builders/fleet/rollouts.ts';

const one = (plain: Partial<LeavingCopies> = {}, [going, staying] = [1, 1]): LeavingCopies =>
  leaving(going, staying, { number: 1, selected: 1, placement: 'p', ...plain });
const moved = (given: LeavingCopies): readonly number[] => {
  const first = held(given);
  const second = held(given, first.removal, 100, NOW + MINUTE);
  return [first.clusters.length, second.clusters.length];
};

test('a copy that moves twice within ten minutes is not held, since each time the new one is Ready', () => {
  expect(moved(one())).toEqual([1, 1]);
  expect(held(one()).removal.recent).toEqual([]);
});

test.each<[what: string, given: LeavingCopies]>([
  ['no Placement with a number', one({ number: null })],
  ['a Placement of two sites', one({ number: 2, selected: 2 })],
  ['a decision for more sites than the number', one({ selected: 2 })],
  ['a decision that is not complete', one({ selected: 0, staying: 0, stayingReady: 0 })],
  ['a second copy that stays, and is not Ready', one({ stayingReady: 1 }, [1, 2])],
  ['a second copy that stays', one({}, [1, 2])],
  ['a copy that is not Ready, and one that was not either', one({ stayingReady: 0, ready: [] })],
])('with %s the second one within ten minutes is held', (_what, given) =>
  expect(moved(given)).toEqual([1, 0]),
);

test('eleven copies are held when the number becomes one with another Placement', () => {
  expect(held(one({}, [11, 1]))).toMatchObject({ clusters: [], held: 11 });
});

test('two that leave at once are no move, and count', () => {
  const removal = { ...NO_REMOVAL, recent: [{ minute: NOW, count: 1, of: 30 }] };
  const { clusters, removal: after } = held(one({}, [2, 1]), removal);
  expect([clusters.length, after.recent]).toEqual([2, [{ minute: NOW, count: 3, of: 30 }]]);
});

test('what went before, and was no move, counts against a move as well', () => {
  const before = held(leaving(1, 1));
  expect(held(one(), before.removal, 100, NOW + MINUTE)).toMatchObject({ clusters: [], held: 1 });
});
