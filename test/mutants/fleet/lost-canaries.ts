// Faults in what counts of sites that were lost with a revision and that nobody selects any more.
import type { Mutant } from '../mutant.ts';

const SEEN = { seenBy: ['test/unit/hub/fleet/lost-canaries.test.ts'] };
const ELSEWHERE = { seenBy: ['test/unit/hub/fleet/lost-elsewhere.test.ts'] };
const LOST = { ...SEEN, file: 'activities/hub/rollout/lost.ts' };
const SITES = { ...SEEN, file: 'workflows/stages/sites.ts' };

export const LOST_CANARIES: readonly Mutant[] = [
  {
    ...LOST,
    ...ELSEWHERE,
    breaks: 'a site whose ManagedCluster a person deletes or accepts no more fails a rollout',
    inside: 'lostSite',
    text: 'if (found === undefined || notJoined(cluster, found) !== null || isReachable(found)) return null;\n  const { labels = {} } = found.metadata;\n  return { cluster, labels, lostSince: lostSince(found) };',
    becomes:
      'if (found !== undefined && notJoined(cluster, found) === null && isReachable(found)) return null;\n  return { cluster, labels: {}, lostSince: null };',
  },
  {
    ...LOST,
    breaks: 'a site that people have taken out by name keeps a stage from passing',
    inside: 'lostAmong',
    text: ' || sight.decision.isNamed',
    becomes: '',
  },
  {
    ...LOST,
    breaks: 'a site that was lost and taken out before it got the revision is drawn for the canaries',
    inside: 'lostAmong',
    text: 'if (member.target.revision !== rollout.revision) return [];',
    becomes: '',
  },
  {
    ...LOST,
    ...ELSEWHERE,
    breaks: 'copies that were lost long ago prove a settled revision that is written once more',
    inside: 'lostAmong',
    text: 'if (rollout.isResettling === true && !isGivenAgain(member.target, rollout)) return [];',
    becomes: '',
  },
  {
    ...LOST,
    ...ELSEWHERE,
    breaks: 'an app whose first site is lost comes to no other',
    inside: 'isNowhere',
    text: 'settled === null && ',
    becomes: 'settled !== null && ',
  },
  {
    ...LOST,
    ...ELSEWHERE,
    breaks: 'a first revision that cuts off its canaries goes on to as many others at once',
    inside: 'oneAtATime',
    text: 'plan.advance.slice(0, 1)',
    becomes: 'plan.advance',
  },
  {
    ...ELSEWHERE,
    file: 'activities/hub/bundle/members.ts',
    breaks: 'an edited work that was lost with an earlier revision fails each rollout that comes after',
    inside: 'lastGiven',
    text: 'isReachable ? null : readWritten',
    becomes: '!isReachable ? null : readWritten',
  },
  {
    file: 'activities/hub/bundle/members.ts',
    seenBy: ['test/unit/hub/bundle/edited.test.ts'],
    breaks: 'an edited work that can be written again counts as what it was once given',
    inside: 'lastGiven',
    text: 'isReachable ? null : readWritten',
    becomes: 'readWritten',
  },
  {
    ...ELSEWHERE,
    file: 'workflows/stages/plan/forward.ts',
    breaks: 'a site that was lost keeps an app from the site that replaces it',
    inside: 'advanceIn',
    text: '[...given, ...beyondLost(asked, index, view, given)]',
    becomes: 'given',
  },
  {
    ...ELSEWHERE,
    file: 'workflows/stages/sites.ts',
    breaks: 'a Capp that nobody can see fails a rollout although its stage has passed',
    inside: 'viewOf',
    text: ' || target.isUnseen === true',
    becomes: '',
  },
  {
    ...SITES,
    breaks: 'a canary that is lost after its stage has passed fails the rollout once it is taken out',
    inside: 'offlineAs',
    text: "if (isUnselected === true) return 'unawaited';",
    becomes: '',
  },
  {
    ...SEEN,
    file: 'activities/hub/rollout/removing/removals.ts',
    breaks: 'the copy on a lost canary goes unasked, and nothing is left that its stage would wait for',
    inside: 'unasked',
    text: 'const clusters = without(leaving.clusters, kept === null ? lost : [...lost, kept]);',
    becomes: 'const clusters = without(leaving.clusters, kept === null ? [] : [kept]);',
  },
  {
    file: 'activities/hub/rollout/telling/said.ts',
    seenBy: ['test/unit/rollout/said.test.ts'],
    breaks: 'a failure that keeps the last copy is not told',
    inside: 'lastHeld',
    text: "hold?.reason === 'SitesFailed'",
    becomes: 'hold === null',
  },
  {
    ...ELSEWHERE,
    file: 'activities/hub/rollout/telling/said.ts',
    breaks: 'kubectl capp refuses the removal that condition Progressing offers',
    inside: 'rolloutSaid',
    text: 'Math.max(held, offered)',
    becomes: 'held',
  },
  {
    ...ELSEWHERE,
    file: 'workflows/stages/holds.ts',
    breaks: 'a kept copy on a lost site fails the rollout, and nobody says what helps',
    inside: 'sitesFailed',
    text: '.${left}`',
    becomes: '.`',
  },
];
