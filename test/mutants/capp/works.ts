// Faults in how the hub’s activities ship and remove works.
import type { Mutant } from '../mutant.ts';

export const WORKS: readonly Mutant[] = [
  {
    breaks: 'a work that the cache does not have yet stays, and counts as removed',
    file: 'activities/hub/retire/remove.ts',
    inside: 'worksOnAll',
    text: 'known.length > 0 ? known : worksOn(kube, claim, cluster)',
    becomes: 'known',
    seenBy: ['test/activity/hub/retire/remove.test.ts'],
  },
  {
    breaks: 'a work is removed although the work that must stay is being deleted',
    file: 'activities/hub/retire/remove.ts',
    inside: 'doubtOf',
    text: 'if (work === null || isGoing(work))',
    becomes: 'if (work === null)',
    seenBy: ['test/activity/hub/retire/remove.test.ts'],
  },
  {
    breaks: 'a late removal acts on a confirmation that has expired',
    file: 'activities/hub/retire/remove.ts',
    inside: 'objectionTo',
    text: 'if (found !== null || Date.now() < until) return found;',
    becomes: 'if (found !== null || until > 0) return found;',
    seenBy: ['test/activity/hub/retire/remove.test.ts'],
  },
  {
    breaks: 'a work is overwritten although it changed after it was read',
    file: 'activities/hub/works.ts',
    inside: 'updateWork',
    text: 'metadata: { uid, resourceVersion, ...held,',
    becomes: 'metadata: { uid, ...held,',
    seenBy: ['test/activity/hub/late-tries.test.ts'],
  },
  {
    breaks: 'a work counts as a Capp’s because of a label that a site may write',
    file: 'activities/hub/claim.ts',
    inside: 'isOursByName',
    text: 'if (!workNamesOf({ namespace, name }).includes(metadata.name)) return false;',
    becomes: '',
    seenBy: ['test/unit/hub/claim.test.ts'],
  },
  {
    breaks: 'a Capp that was edited a moment ago is shipped with the Secrets of its former version',
    file: 'activities/hub/ship/ahead.ts',
    inside: 'readFor',
    text: 'ahead?.resourceVersion === metadata.resourceVersion',
    becomes: 'ahead !== null',
    seenBy: ['test/unit/hub/ship/ahead.test.ts'],
  },
  {
    breaks: 'what is read now of a Capp is thrown away for what was read ahead',
    file: 'activities/hub/ship/prepare.ts',
    inside: 'prepare',
    text: 'readWhile(ahead, capp, wanted) ??',
    becomes: 'ahead?.read() ??',
    seenBy: ['test/unit/hub/ship/ahead.test.ts'],
  },
  {
    breaks: 'an API server that is slow is read twice at each try',
    file: 'activities/hub/ship/apply.ts',
    inside: 'ship',
    text: '!isAgain && tryNumber() === 1',
    becomes: '!isAgain',
    seenBy: ['test/unit/hub/ship/ahead.test.ts'],
  },
];
