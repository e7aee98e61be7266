// Faults in what a state or a message from outside may bring about.
import type { Mutant } from './mutant.ts';

export const GROUNDS: readonly Mutant[] = [
  {
    breaks: 'a Capp is shipped to any cluster where somebody has noted it',
    file: 'activities/hub/place/warrant.ts',
    inside: 'warrantFor',
    text: 'if (hasWork && capp',
    becomes: 'if (capp',
    seenBy: ['test/unit/hub/place/warrant.test.ts'],
  },
  {
    breaks: 'a Capp that is pinned to one site is shipped where a placement has decided for another',
    file: 'activities/hub/place/warrant.ts',
    inside: 'placementsFor',
    text: "site === '' || name === site",
    becomes: 'true',
    seenBy: ['test/unit/hub/place/warrant.test.ts'],
  },
  {
    breaks: 'a request by annotation leads to a site that nobody may name',
    file: 'activities/hub/place/warrant.ts',
    inside: 'warrantFor',
    text: 'if (mayPin && isAskedFor',
    becomes: 'if (isAskedFor',
    seenBy: ['test/unit/hub/place/warrant.test.ts'],
  },
  {
    breaks: 'a Capp that may not be where its workflow believes is shipped there again and again',
    file: 'workflows/capp/after/apply.ts',
    inside: 'unwarranted',
    text: 'state.serving === cluster',
    becomes: 'state.serving === cluster && copy === undefined',
    seenBy: ['test/unit/capp/decide/applied.test.ts'],
  },
  {
    breaks: 'a message to Temporal sends a Capp to a site that no placement has decided for',
    file: 'workflows/placement/asked.ts',
    inside: 'objectionTo',
    text: '!isMessage(request) || isDecided(inputs, to)',
    becomes: 'true',
    seenBy: ['test/unit/placement/review.test.ts'],
  },
  {
    breaks: 'what a workflow remembers of allowed removals counts',
    file: 'activities/hub/rollout/memory.ts',
    inside: 'memoryOf',
    text: 'removal: removalFrom(removal)',
    becomes: 'removal: own?.removal ?? removalFrom(removal)',
    seenBy: ['test/unit/rollout/requests.test.ts'],
  },
  {
    breaks: 'a state whose request is forced by a message is read',
    file: 'workflows/parse/capp-state.ts',
    inside: null,
    text: "force !== true || source === 'force'",
    becomes: 'true',
    seenBy: ['test/unit/parse/forged-state.test.ts'],
  },
  {
    breaks: 'a hostname is taken by leaving its zone out',
    file: 'workers/webhook/known.ts',
    inside: 'knownFrom',
    text: 'hostnamesOf(name, config?.dns?.zone)',
    becomes: '[name]',
    seenBy: ['test/unit/webhook/known.test.ts'],
  },
];
