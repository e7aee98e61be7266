// Since when a copy that is Ready is known to be so, where its site could not be reached in between: nobody
// knows how it was meanwhile, so the soak of its stage begins again.
import { memberOn as bundleOn } from '../../../../activities/hub/bundle/members.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { memberOn as setOn } from '../../../../activities/hub/set/targets.ts';
import { HUB_TIMES } from '../../../../activities/hub/times.ts';
import type { Target } from '../../../../workflows/stages/types.ts';
import { rendered, reportedWork, SETTINGS_AND_WEB } from '../../../support/builders/fleet/bundles.ts';
import { aChild, READY, seenOf, SITE } from '../../../support/builders/fleet/children.ts';

const NOW = READY + 1_200_000;
const { ms: APART } = HUB_TIMES.clocksApart;

interface Back {
  readonly reachableSince?: number;
}

/** A copy of a set, that is Ready or is still coming up. */
function ofSet(back: Back, status: 'True' | 'False' = 'True'): Target {
  const child = aChild({ ready: { status, reason: status === 'True' ? 'Serving' : 'Deploying' } });
  return setOn(seenOf(child, {}, NOW), { ...SITE, ...back }).target;
}

function ofBundle(back: Back, status: 'True' | 'False' = 'True'): Target {
  const site = { cluster: 'site-1', labels: {}, refusal: null, isReachable: true, lostSince: null, ...back };
  const work = seenWork(reportedWork(SETTINGS_AND_WEB, { rules: { web: { status } } }) as never);
  return bundleOn({ rendered: rendered(SETTINGS_AND_WEB), refused: {}, now: NOW }, site, work).target;
}

describe.each([
  ['set', ofSet],
  ['Bundle', ofBundle],
])('a copy of a %s', (_what, targetOf) => {
  const { since, verdict } = targetOf({});

  test('is Ready since its site is back, and since it said so where that is later', () => {
    expect(verdict).toBe('Ready');
    expect(targetOf({ reachableSince: NOW - 1_000 })).toMatchObject({ verdict, since: NOW - 1_000 });
    expect(targetOf({ reachableSince: since - 1_000 }).since).toBe(since);
  });

  test('is Ready since now where the clock of its site is ahead a little, and not until one that is far ahead is right', () => {
    expect(targetOf({ reachableSince: NOW + APART }).since).toBe(NOW);
    expect(targetOf({ reachableSince: NOW + APART + 1 }).since).toBe(since);
  });

  test('gets no other deadline for that', () => {
    const late = targetOf({ reachableSince: NOW - 1_000 }, 'False');
    expect([late.verdict, late.since]).toEqual(['Progressing', targetOf({}, 'False').since]);
  });
});
