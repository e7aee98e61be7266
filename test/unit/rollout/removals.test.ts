// The guard against mass removal: who may go at once, and when a person is asked.
import { memoryOf, rememberedIn } from '../../../activities/hub/rollout/memory.ts';
import { withoutMissing } from '../../../activities/hub/rollout/removing/removal-memory.ts';
import { release, type LeavingCopies } from '../../../activities/hub/rollout/removing/removals.ts';
import { HUB_TIMES } from '../../../activities/hub/times.ts';
import type { RemovalMemory } from '../../../workflows/stages/memory.ts';
import { clusters, held, leaving, MINUTE, NOW, quiet } from '../../support/builders/fleet/removals.ts';
import { NO_REMOVAL } from '../../support/builders/fleet/rollouts.ts';

const {
  setHeld: { ms: HELD_MS },
  setCounted: { ms: COUNTED_MS },
} = HUB_TIMES;

test('a changed decision must hold for five seconds before anything is removed', () => {
  const first = release(leaving(1, 9), { leaving: null, removal: NO_REMOVAL }, 100, NOW);
  expect(first).toMatchObject({ clusters: [], held: 0, wakeAt: NOW + HELD_MS });
  const other = { leaving: { digest: 'other', since: NOW - HELD_MS }, removal: NO_REMOVAL };
  expect(release(leaving(1, 9), other, 100, NOW)).toMatchObject({ clusters: [], wakeAt: NOW + HELD_MS });
});

test.each<[going: number, staying: number, isFree: boolean]>([
  [1, 1, true],
  [2, 8, false],
  [10, 90, true],
  [11, 89, false],
  [60, 40, false],
  [100, 900, true],
  [101, 899, false],
])('of %i that leave and %i that stay, removal without asking is %s', (going, staying, isFree) => {
  const released = held(leaving(going, staying), NO_REMOVAL, 1000);
  expect([released.clusters.length, released.held]).toEqual(isFree ? [going, 0] : [0, going]);
});

describe('the ten minutes', () => {
  test('a tenth cannot go again and again', () => {
    const first = held(leaving(10, 90));
    expect(first.removal.recent).toEqual([{ minute: NOW, count: 10, of: 100 }]);
    expect(held(leaving(1, 89), first.removal)).toMatchObject({
      clusters: [],
      held: 1,
      wakeAt: NOW + MINUTE + COUNTED_MS,
    });
    const later = held(leaving(1, 89), first.removal, 100, NOW + MINUTE + COUNTED_MS);
    expect(later.clusters).toHaveLength(1);
  });

  test('the ten minutes slide: no ten minutes have more than a tenth, over their end either', () => {
    const one = held(leaving(1, 99));
    const nine = held(leaving(9, 90), one.removal, 100, NOW + COUNTED_MS - 1_000);
    const more = held(leaving(9, 81), nine.removal, 100, NOW + COUNTED_MS);
    const evenLater = held(leaving(9, 81), nine.removal, 100, NOW + MINUTE + COUNTED_MS);
    expect([nine, more, evenLater].map((one) => one.clusters.length)).toEqual([9, 0, 0]);
  });

  test('a copy that came back after it went is one of those of which a tenth may go, and not two', () => {
    const one = held(leaving(1, 18));
    expect(one.clusters).toHaveLength(1);
    expect(held(leaving(1, 18), one.removal, 100, NOW + MINUTE).clusters).toEqual([]);
    expect(held(leaving(1, 19), one.removal, 100, NOW + MINUTE).clusters).toHaveLength(1);
  });

  test('of a removal that an earlier version counted nobody knows how many copies there were', () => {
    const removal = { ...NO_REMOVAL, recent: [{ minute: NOW, count: 1 }] };
    expect(held(leaving(1, 18), removal, 100, NOW + MINUTE).clusters).toHaveLength(1);
    expect(held(leaving(1, 17), removal, 100, NOW + MINUTE).clusters).toEqual([]);
  });

  test('removals of one minute each are remembered in at most twelve parts, and all of the last ten minutes', () => {
    let removal: RemovalMemory = NO_REMOVAL;
    for (let minute = 0; minute < 40; minute += 1)
      ({ removal } = held(leaving(1, 999), removal, 100, NOW + minute * MINUTE));
    expect(removal.recent.length).toBeLessThanOrEqual(12);
    const last = (ago: number) => ({ minute: NOW + (39 - ago) * MINUTE, count: 1, of: 1000 });
    expect(removal.recent).toEqual(Array.from({ length: 11 }, (_, ago) => last(ago)));
  });
});

describe('a clock that was a year ahead', () => {
  const YEAR = 365 * 24 * 60 * MINUTE;

  test('keeps what it has counted in the count for ten minutes more, and not for a year', () => {
    const recent = [
      { minute: NOW + YEAR, count: 4, of: 60 },
      { minute: NOW, count: 2, of: 100 },
    ];
    const soon = held(leaving(5, 89), { ...NO_REMOVAL, recent }, 100, NOW + MINUTE / 2);
    expect(soon).toMatchObject({ clusters: [], held: 5, wakeAt: NOW + MINUTE + COUNTED_MS });
    expect(soon.removal.recent).toEqual([{ minute: NOW, count: 6, of: 100 }]);
    expect(held(leaving(5, 89), soon.removal, 100, NOW + MINUTE + COUNTED_MS).clusters).toHaveLength(5);
  });

  test('a clock that is minutes ahead takes nothing out of the count', () => {
    const recent = [{ minute: NOW + COUNTED_MS, count: 10, of: 100 }];
    const later = held(leaving(1, 89), { ...NO_REMOVAL, recent }, 100, NOW + COUNTED_MS);
    expect(later).toMatchObject({ clusters: [], removal: { recent } });
  });

  test('does not keep sites waiting for a year that are no longer selected', () => {
    const seen = release(leaving(1, 99), { leaving: null, removal: NO_REMOVAL }, 100, NOW + YEAR);
    const first = release(leaving(1, 99), seen, 100, NOW);
    expect(first).toMatchObject({ clusters: [], wakeAt: NOW + HELD_MS });
    expect(release(leaving(1, 99), first, 100, NOW + HELD_MS).clusters).toHaveLength(1);
  });
});

describe('named sites', () => {
  test('those that were taken out of the list go at once', () => {
    const given = leaving(7, 3, { isNamed: true });
    const released = release(given, { leaving: null, removal: NO_REMOVAL }, 100, NOW);
    expect(released).toMatchObject({ clusters: clusters(7), held: 0 });
  });

  test('a Placement after them compares its number with none from before', () => {
    const removal = quiet({ isNamed: true }, quiet({ number: 12, selected: 12, placement: 'p' }));
    const given = leaving(9, 3, { number: 3, selected: 3, placement: 'p' });
    expect(held(given, removal)).toMatchObject({ held: 9 });
  });
});

describe('a person who allows a removal', () => {
  const allowed = (given: LeavingCopies, count: number): RemovalMemory => {
    const { leaving: seen } = held(given);
    return { ...NO_REMOVAL, allowed: count, approved: seen?.digest ?? '' };
  };

  test('allows as many as they say of exactly these sites, and the rest goes on waiting', () => {
    const first = held(leaving(60, 40), allowed(leaving(60, 40), 50), 30);
    expect(first).toMatchObject({ clusters: clusters(30), held: 10, removal: { allowed: 20 } });
    const rest = leaving(0, 40, { clusters: clusters(30, 30) });
    const second = held(rest, first.removal, 30);
    expect(second).toMatchObject({ clusters: clusters(20, 30), held: 10, removal: { allowed: 0 } });
    const last = leaving(0, 40, { clusters: clusters(10, 50) });
    expect(held(last, second.removal)).toMatchObject({ clusters: [], held: 10 });
    expect(held(leaving(0, 40), { ...NO_REMOVAL, allowed: 5, approved: 'x' }).removal).toEqual(NO_REMOVAL);
  });

  test('allows nothing of the rest, although it is no more than a tenth, at whatever time', () => {
    const given = leaving(10, 90);
    const first = held(given, allowed(given, 5));
    expect(first).toMatchObject({ clusters: clusters(5), held: 5, removal: { allowed: 0 } });
    // As the status has it.
    const metadata = { uid: 'u' };
    const status = rememberedIn({ ...memoryOf({ metadata }, null), removal: first.removal });
    const { removal } = memoryOf({ metadata, status }, null);
    const rest = leaving(0, 90, { clusters: clusters(5, 5) });
    for (const now of [NOW, NOW + 3_600_000])
      expect(held(rest, removal, 100, now)).toMatchObject({ clusters: [], held: 5 });
    const again = { ...first.removal, allowed: 5 };
    expect(held(rest, again)).toMatchObject({ clusters: rest.clusters, held: 0 });
    expect(held(leaving(0, 90), first.removal).removal).toEqual(NO_REMOVAL);
  });

  test('lets the rest go by a lower number, or by naming the sites', () => {
    const before = quiet(
      { number: 100, selected: 95, placement: 'p' },
      { ...NO_REMOVAL, number: 100, placement: 'p' },
    );
    const rest = { clusters: clusters(5, 5), placement: 'p', selected: 90 };
    const spent = { ...before, approved: held(leaving(0, 90, rest)).leaving?.digest ?? '' };
    expect(held(leaving(0, 90, { ...rest, number: 100 }), spent)).toMatchObject({ held: 5 });
    expect(held(leaving(0, 90, { ...rest, number: 90 }), spent)).toMatchObject({ held: 0 });
    expect(held(leaving(0, 90, { ...rest, isNamed: true }), spent)).toMatchObject({ held: 0 });
  });

  test('allows nothing of other sites, be they as many, or one more', () => {
    const removal = allowed(leaving(60, 40), 60);
    const others = leaving(0, 40, { clusters: clusters(60, 100) });
    expect(held(others, removal)).toMatchObject({ clusters: [], held: 60 });
    expect(held(leaving(61, 39), removal)).toMatchObject({ clusters: [], held: 61 });
  });

  test('has allowed again what the hub refused to remove, and nothing else', () => {
    const first = held(leaving(5, 5), allowed(leaving(5, 5), 5), 3);
    const removal = withoutMissing(first, ['c-001']);
    expect(removal.allowed).toBe(3);
    const rest = leaving(0, 5, { clusters: ['c-001', 'c-003', 'c-004'] });
    expect(held(rest, removal)).toMatchObject({ clusters: rest.clusters, held: 0 });
    const others = leaving(0, 5, { clusters: ['c-001', 'c-003', 'c-009'] });
    expect(held(others, removal)).toMatchObject({ clusters: [], held: 3 });
  });
});

describe('the last Ready copy', () => {
  const swapped = leaving(1, 1, { stayingReady: 0 });

  test('stays until a copy on a selected site is Ready', () => {
    expect(held(swapped)).toMatchObject({
      clusters: [],
      held: 0,
      last: { cluster: 'c-000', isOverdue: false },
    });
    expect(held({ ...swapped, stayingReady: 1 })).toMatchObject({ clusters: ['c-000'], last: null });
  });

  test('of many that may go, one that is Ready stays', () => {
    const named = leaving(7, 3, { isNamed: true, stayingReady: 0, ready: ['c-002', 'c-004'] });
    const released = held(named);
    expect(released.last).toEqual({ cluster: 'c-004', isOverdue: false });
    expect(released.clusters).toEqual(clusters(7).filter((cluster) => cluster !== 'c-004'));
  });

  test('is not counted among those that would go', () => {
    expect(held(leaving(2, 8, { stayingReady: 0 }))).toMatchObject({ clusters: ['c-000'], held: 0 });
    expect(held(leaving(3, 7, { stayingReady: 0 }))).toMatchObject({ clusters: [], held: 3 });
  });

  test('is a question to a person after the deadline, and goes when they allow it', () => {
    const seen = release(swapped, { leaving: null, removal: NO_REMOVAL }, 100, NOW);
    const later = release(swapped, seen, 100, NOW + 900_000);
    expect(later).toMatchObject({ clusters: [], held: 1, last: { isOverdue: true } });
    const approved = { ...NO_REMOVAL, allowed: 1, approved: seen.leaving?.digest ?? '' };
    expect(release(swapped, { ...seen, removal: approved }, 100, NOW + 900_000).clusters).toEqual(['c-000']);
  });

  test('a copy that is not Ready protects nobody, and none waits where no site is selected', () => {
    expect(held({ ...swapped, ready: [] }).clusters).toEqual(['c-000']);
    expect(held(leaving(1, 0, { stayingReady: 0, selected: 0 })).clusters).toEqual(['c-000']);
  });
});

test('a removal that is refused is given back, and those before it in the same minute are not', () => {
  const recent = (count: number) => [{ minute: NOW, count }];
  const uncharged = { ...NO_REMOVAL, recent: recent(2) };
  const removal = { ...NO_REMOVAL, recent: recent(5) };
  expect(withoutMissing({ removal, uncharged, later: [] }, ['site-1']).recent).toEqual(recent(4));
});

test('of removals of which a lowered number explains some, one that is refused is given back once', () => {
  const removal = { ...NO_REMOVAL, lowered: 0, recent: [{ minute: NOW, count: 2 }] };
  const uncharged = { ...NO_REMOVAL, lowered: 3 };
  const after = (...missing: readonly string[]) => withoutMissing({ removal, uncharged, later: [] }, missing);
  expect(after('a')).toMatchObject({ lowered: 1, recent: [{ count: 2 }] });
  expect(after('a', 'b', 'c', 'd')).toMatchObject({ lowered: 3, recent: [{ count: 1 }] });
});
