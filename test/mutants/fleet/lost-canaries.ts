// Faults in what counts of sites that were lost with a revision and that nobody selects any more.
import type { Mutant } from '../mutant.ts';

const SEEN = { seenBy: ['test/unit/hub/fleet/lost-canaries.test.ts'] };
const LOST = { ...SEEN, file: 'activities/hub/rollout/lost.ts' };
const SITES = { ...SEEN, file: 'workflows/stages/sites.ts' };

export const LOST_CANARIES: readonly Mutant[] = [
  {
    ...LOST,
    breaks: 'a stage passes although the hub refuses all canaries but one',
    inside: 'lostSite',
    text: ' && found.spec?.hubAcceptsClient === true',
    becomes: '',
  },
  {
    ...LOST,
    breaks: 'a site that people have taken out by name keeps a stage from passing',
    inside: 'lostAmong',
    text: 'seen.has(cluster) || (isNamed && !isMeant.has(cluster))',
    becomes: 'seen.has(cluster)',
  },
  {
    ...LOST,
    breaks: 'a site that was lost and taken out before it got the revision is drawn for the canaries',
    inside: 'lostAmong',
    text: 'if (member.target.revision !== rollout.revision) return [];',
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
    ...SEEN,
    file: 'workflows/stages/membership.ts',
    breaks: 'canaries that the hub has forgotten count in a stage after that of the canaries',
    inside: 'stagesOf',
    text: '[...forgotten, ...takenBy(sites, left, seed)]',
    becomes: 'takenBy(sites, left, seed)',
  },
];
