// Faults of one line in the turn of a Bundle and at the gates of its stages, each of which no test saw once.
import type { Mutant } from '../mutant.ts';

const MEMBERS = { seenBy: ['test/unit/hub/bundle/members.test.ts'] } as const;
const ENDING = { file: 'activities/hub/bundle/kind.ts', seenBy: ['test/unit/hub/bundle/ending.test.ts'] };
const GATES = { seenBy: ['test/unit/stages/verification.test.ts'] } as const;

export const ONE_LINERS: readonly Mutant[] = [
  {
    ...MEMBERS,
    breaks: 'a Bundle goes to sites where it may not go',
    file: 'activities/hub/bundle/sight.ts',
    inside: 'sightOf',
    text: 'sites.filter(({ refusal }) => refusal === null)',
    becomes: 'sites',
  },
  {
    ...MEMBERS,
    breaks: 'a copy that serves nothing counts as another Ready one, and the last Ready one goes',
    file: 'activities/hub/bundle/sight.ts',
    inside: 'sightOf',
    text: "({ seen }) => seen.state === 'Ready'",
    becomes: '() => true',
  },
  {
    ...MEMBERS,
    breaks: 'a site that has failed for good is waited for as one that may yet apply',
    file: 'activities/hub/bundle/members.ts',
    inside: 'memberOn',
    text: 'seen.problems.every(mayPass)',
    becomes: 'seen.problems.some(mayPass)',
  },
  {
    ...MEMBERS,
    breaks: 'a Bundle that cannot be shipped leaves sites by what a person has changed meanwhile',
    file: 'activities/hub/bundle/unshippable.ts',
    inside: 'unshippableBundle',
    text: 'isStill: () => isSameBundle(kube, object)',
    becomes: 'isStill: async () => true',
  },
  {
    ...MEMBERS,
    breaks: 'turns that can tell no site anything follow each other without a pause',
    file: 'activities/hub/bundle/ship.ts',
    inside: 'tellAll',
    text: 'works.length > TOLD_PER_TURN && told > 0',
    becomes: 'works.length > TOLD_PER_TURN',
  },
  {
    ...MEMBERS,
    breaks: 'a work that was made again waits for an answer that was asked of the earlier one',
    file: 'activities/hub/bundle/orphaning.ts',
    inside: 'isUnansweredIn',
    text: 'known?.metadata.uid === uid && known !== undefined',
    becomes: 'known !== undefined',
  },
  {
    ...ENDING,
    breaks: 'what stays on a site after its Bundle is told nobody',
    inside: 'bundleKind',
    text: "if (awaited === 'Nothing') await sayStaying(work);",
    becomes: '',
  },
  {
    ...ENDING,
    breaks: 'a turn rests on works that are older than what has rung it',
    inside: 'areCaughtUp',
    text: 'if (!(await caughtUp(caches, versions))) return false;',
    becomes: 'await caughtUp(caches, versions);',
  },
  {
    ...GATES,
    breaks: 'checks that have ended are looked at when the last of them ends',
    file: 'workflows/stages/gates.ts',
    inside: 'checksOf',
    text: 'Math.min(...times)',
    becomes: 'Math.max(...times)',
  },
  {
    ...GATES,
    breaks: 'the end of the only checks that are waited for wakes nobody',
    file: 'workflows/stages/gates.ts',
    inside: 'checksOf',
    text: 'times.length === 0 ? null',
    becomes: 'times.length <= 1 ? null',
  },
  {
    breaks: 'an approval that nobody can judge is taken, and lets nothing pass',
    file: 'activities/hub/rollout/requests.ts',
    inside: 'heardApproval',
    text: 'if (isUnread(object))',
    becomes: 'if (isUnread(object) && stage === null)',
    seenBy: ['test/unit/set/unshippable.test.ts', 'test/unit/hub/bundle/unread-strategy.test.ts'],
  },
  {
    breaks: 'nobody is told that an approval waits for a strategy that can be read',
    file: 'activities/hub/rollout/unshippable.ts',
    inside: 'unshippable',
    text: 'stage === null',
    becomes: "stage !== ''",
    seenBy: ['test/unit/set/unshippable.test.ts', 'test/unit/hub/bundle/unread-strategy.test.ts'],
  },
];
