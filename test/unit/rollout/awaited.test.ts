// Sites that have still to answer before they may be left: each is charged when it goes, and none keeps
// another.
import { withoutMissing } from '../../../activities/hub/rollout/removing/removal-memory.ts';
import { clusters, held, leaving, NOW } from '../../support/builders/fleet/removals.ts';
import { NO_REMOVAL } from '../../support/builders/fleet/rollouts.ts';

test('a site that has still to answer is not charged, and goes when it has answered', () => {
  const first = held(leaving(3, 97, { awaited: clusters(2) }));
  expect(first).toMatchObject({ clusters: ['c-002'], awaited: clusters(2), later: clusters(2) });
  expect(first.removal.recent).toEqual([{ minute: NOW, count: 1, of: 100 }]);
  const second = held(leaving(2, 97, { awaited: ['c-001'] }), first.removal);
  expect(second).toMatchObject({ clusters: ['c-000'], awaited: ['c-001'] });
  expect(second.removal.recent).toEqual([{ minute: NOW, count: 2, of: 100 }]);
  const waiting = held(leaving(1, 97, { clusters: ['c-001'], awaited: ['c-001'] }), second.removal);
  expect(waiting).toMatchObject({ clusters: [], awaited: ['c-001'], removal: second.removal });
});

test('sites that have still to answer keep no other from going, however many they are', () => {
  const released = held(leaving(12, 1_000, { awaited: clusters(10) }), NO_REMOVAL, 2);
  expect(released.clusters).toEqual(['c-010', 'c-011']);
});

test('more than a tenth wait for a person before any of their sites is told', () => {
  expect(held(leaving(20, 80, { awaited: clusters(20) }))).toMatchObject({
    clusters: [],
    awaited: [],
    held: 20,
  });
});

test('what a person has allowed is used up by those that go, not by those that have still to answer', () => {
  const asked = held(leaving(20, 80));
  const removal = { ...NO_REMOVAL, allowed: 20, approved: asked.leaving?.digest ?? '' };
  const first = held(leaving(20, 80, { awaited: clusters(15) }), removal);
  expect(first).toMatchObject({ clusters: clusters(5, 15), awaited: clusters(15), held: 0 });
  expect(first.removal).toMatchObject({ allowed: 15 });
  expect(withoutMissing(first, [])).toEqual(first.removal);
  const second = held(leaving(15, 80), first.removal);
  expect(second).toMatchObject({ clusters: clusters(15), held: 0, removal: { allowed: 0 } });
});

test('no more sites are told than a person has allowed', () => {
  const asked = held(leaving(20, 80));
  const removal = { ...NO_REMOVAL, allowed: 3, approved: asked.leaving?.digest ?? '' };
  expect(held(leaving(20, 80, { awaited: clusters(20) }), removal)).toMatchObject({
    clusters: [],
    awaited: clusters(3),
    held: 17,
  });
});
