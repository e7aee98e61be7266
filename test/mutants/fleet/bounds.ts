// Faults in what bounds a rollout: deadlines, places, windows and shares.
import type { Mutant } from '../mutant.ts';

const SEEN = { seenBy: ['test/unit/stages/bounds.test.ts'] } as const;
const SITES = { ...SEEN, file: 'workflows/stages/sites.ts' } as const;
const FORWARD = { ...SEEN, file: 'workflows/stages/plan/forward.ts' } as const;

export const BOUNDS: readonly Mutant[] = [
  {
    ...SITES,
    breaks: 'a lost site fails at once where nobody knows since when it is lost',
    inside: 'deadlineOf',
    text: 'Math.max(since, lostSince) : since',
    becomes: 'lostSince : since',
  },
  {
    ...SITES,
    breaks: 'a site that is not Ready, and is lost then, has its time once more',
    inside: 'deadlineOf',
    text: "(verdict === 'Ready' ? Math.max(since, lostSince) : since)",
    becomes: 'Math.max(since, lostSince)',
  },
  {
    ...SITES,
    breaks: 'a site that was not Ready counts no more once its stage has passed and it is lost',
    inside: 'viewOf',
    text: '(wasReady && isProven)',
    becomes: 'isProven',
  },
  {
    ...SITES,
    breaks: 'a site of a stage that has passed fails since nothing can be heard of it',
    inside: 'viewOf',
    text: ' || target.isUnseen === true',
    becomes: '',
  },
  {
    ...SEEN,
    breaks: 'a soak ends with the first site of a stage',
    file: 'workflows/stages/gates.ts',
    inside: 'gateOf',
    text: 'Math.max(...ready.map(({ since }) => since))',
    becomes: 'Math.min(...ready.map(({ since }) => since))',
  },
  {
    ...SEEN,
    breaks: 'what was retried at rest is remembered for ever',
    file: 'workflows/stages/gates.ts',
    inside: 'settle',
    text: ' && Object.keys(retries).length === 0',
    becomes: '',
  },
  {
    ...FORWARD,
    breaks: 'a stage waits since one of its own sites, which cannot be reached, would not be checked',
    inside: 'frontOf',
    text: 'stages.slice(index + 1)',
    becomes: 'stages.slice(index)',
  },
  {
    ...FORWARD,
    breaks: 'a set is said to be done while a site that came back has another revision',
    inside: 'forward',
    text: 'isSettled(rollout) && !front.views.some(isBusy)',
    becomes: 'isSettled(rollout)',
  },
  {
    ...FORWARD,
    breaks: 'nobody looks when a window opens for a stage that has passed, while another one asks',
    inside: 'shutOf',
    text: '(index <= at || closed.includes(stage.name)) && ',
    becomes: 'index <= at && ',
  },
  {
    ...SEEN,
    breaks: 'beside lost sites more first copies come at once than may',
    file: 'workflows/stages/plan/joining.ts',
    inside: 'beyondLost',
    text: '[...seen.underWay, ...going]',
    becomes: 'seen.underWay',
  },
  {
    ...SEEN,
    breaks: 'a broken copy that waits for a window leaves its place to a first copy',
    file: 'workflows/stages/plan/advance.ts',
    inside: 'advanceOf',
    text: 'free - due.filter(isBroken).length',
    becomes: 'free - from.filter(isBroken).length',
  },
  {
    ...SEEN,
    breaks: 'a retry of all sites asks for no checks once more',
    file: 'workflows/stages/proof.ts',
    inside: 'askFor',
    text: "Math.max(retries[target.cluster] ?? 0, retries['*'] ?? 0)",
    becomes: 'retries[target.cluster] ?? 0',
  },
  {
    ...SEEN,
    breaks: 'a rollout grows with each site that is retried',
    file: 'workflows/stages/rollout.ts',
    inside: 'retry',
    text: 'before + clusters.length > MOST_RETRIES',
    becomes: 'clusters.length > MOST_RETRIES',
  },
  {
    ...SEEN,
    breaks: 'a stage takes its share of all sites from those that match',
    file: 'workflows/stages/membership.ts',
    inside: 'takenBy',
    text: '(fitting.length * percent)',
    becomes: '(left.length * percent)',
  },
];
