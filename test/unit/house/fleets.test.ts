// The lives of a CappSet or a Bundle under random storms, in virtual time: never more is under way than may
// be, no stage begins before its gates are open, no more is removed than a person allows, the last Ready copy
// stays, and what fails is undone everywhere. What breaks a rule names the seed; `FLEETS=1 SEED=n make
// simulate` prints its story.
import { NOW } from '../../support/builders/states.ts';
import { AdvanceRules } from '../../support/simulator/fleet/advance-rules.ts';
import type { Copy, Fleet } from '../../support/simulator/fleet/lived.ts';
import type { Witness } from '../../support/simulator/fleet/witness.ts';
import { FAULTS } from '../../support/simulator/world/faults.ts';
import { simulate } from '../../support/simulator/simulate.ts';

/** Few enough for half a minute; `FLEETS=1 make simulate` lives through many more. */
const SEEDS = 30;
/** A Bundle of which one drawn canary is cut off while OCM takes it out of the Placement. */
const CUT_OFF = 600_082;
/** A Bundle of which a copy is edited on a site that an earlier revision was lost with. */
const EDITED_WHILE_LOST = 602_199;
/** A Bundle of which a copy goes from a site that the hub accepts no more. */
const ACCEPTED_NO_MORE = 39_227;
/** A Bundle whose rollout is aborted, and retried once its drawn canaries have been Ready for long enough. */
const RETRIED = 41_501;
/** A CappSet that goes back to a revision that was never settled, and that more sites have than are drawn. */
const BEGUN_AGAIN = 49_226;
/** A CappSet of which one site is lost with the newest revision while others get the settled one. */
const LOST_BESIDE = 49_615;
/** Stories that once went wrong, and lives of many sites in which a weak guard is seen. */
const KNOWN: readonly number[] = [70, 85, CUT_OFF, EDITED_WHILE_LOST, ACCEPTED_NO_MORE, RETRIED].concat([
  BEGUN_AGAIN,
  LOST_BESIDE,
]);
/** A CappSet on thirteen sites, whose turns let others have the thread while they are long. */
const LONG_TURNS = 70;

test(`every rule of a fleet holds in ${SEEDS} lives, and in those that once went wrong`, async () => {
  const breaches: (readonly [number, string])[] = [];
  for (const seed of [...KNOWN, ...Array(SEEDS).keys()]) {
    const { breach } = await simulate(seed, null, FAULTS, { fleets: true });
    if (breach !== null) breaches.push([seed, breach]);
  }
  expect(breaches).toEqual([]);
}, 600_000);

test('a seed tells the same story on a slow machine', async () => {
  const { now } = performance;
  const steps = async (): Promise<number> =>
    (await simulate(LONG_TURNS, null, FAULTS, { fleets: true })).steps;
  const quick = await steps();
  let waited = 0;
  performance.now = () => (waited += 50);
  try {
    expect(await steps()).toBe(quick);
  } finally {
    performance.now = now;
  }
}, 60_000);

/** A turn that reads a fleet may write for as long as this after somebody has edited what it has read. */
const TURN_MS = 25_000;

describe('sites that are under way', () => {
  const SITES = Array.from({ length: 14 }, (_, index) => `site-${index + 1}`);
  const manyAt = (maxConcurrent: number | string): Fleet =>
    ({
      metadata: { name: 'many' },
      spec: { strategy: { maxConcurrent, soakSeconds: 0, deadlineSeconds: 300, offline: 'Later' } },
      status: { rollout: { revision: 'one' } },
    }) as unknown as Fleet;
  const copyOn = (site: string): Copy =>
    ({
      site,
      written: { revision: 'one', at: NOW },
      isReady: false,
      isFailed: false,
      isGoing: false,
    }) as Copy;

  /** The strategy allowed three, until edits allowed fewer; so much later a third site is written. */
  function thirdAfter(edits: readonly number[], ms: number): string[] {
    const breaches: string[] = [];
    const seen = { now: NOW, fleet: manyAt('25%') };
    const rules = new AdvanceRules({
      get now() {
        return seen.now;
      },
      world: {
        site: () => ({ up: true }),
        fail: ({ message }: { message: string }) => void breaches.push(message),
      },
      fleet: () => seen.fleet,
      copies: () => SITES.slice(0, 3).map(copyOn),
      selected: () => SITES,
      selectedOfLate: () => SITES,
      isInside: () => true,
      wasUnselected: () => false,
      wasFailed: () => false,
      wasReady: () => false,
      isLostWith: () => false,
      isSilent: () => false,
      lostWith: () => [],
    } as unknown as Witness);
    for (const most of edits) {
      const before = seen.fleet;
      seen.fleet = manyAt(most);
      rules.changed(before, seen.fleet);
    }
    seen.now += ms;
    rules.advances(copyOn('site-3'), null);
    return breaches;
  }

  test.each<[string, readonly number[], number, boolean]>([
    ['as many as there may be', [], 0, true],
    ['as many as there might be when the turn began, before one edit', [2], 50, true],
    ['as many as there might be when the turn began, before two edits', [2, 1], 50, true],
    ['too many if there might be fewer at any time of the turn', [2], TURN_MS + 1, false],
  ])('are %s', (_, edits, ms, mayBe) => {
    expect(thirdAfter(edits, ms)).toEqual(
      mayBe ? [] : [expect.stringContaining('3 are under way, and 2 may be')],
    );
  });
});
