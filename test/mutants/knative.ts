// Faults in what is known of Knative: what it refuses, how it reads annotations, and what its silence means.
import type { Mutant } from './mutant.ts';

const UNMADE = {
  file: 'site/workload/unmade.ts',
  seenBy: ['test/unit/site/workload/unmade.test.ts'],
};

export const KNATIVE: readonly Mutant[] = [
  {
    file: 'site/status/ready.ts',
    breaks: 'an edit of which Knative can create no revision is starting until its deadline',
    inside: 'notYet',
    text: ' || seen.isUnmade',
    becomes: '',
    seenBy: ['test/unit/site/status/ready.test.ts'],
  },
  {
    ...UNMADE,
    breaks: 'a revision that fails by itself is said not to have been made',
    inside: 'isUnmade',
    text: "conditionOf(newest?.status?.conditions, 'Ready')?.status === 'True'",
    becomes: 'newest !== undefined',
  },
  {
    ...UNMADE,
    breaks: 'an edit is said to have failed by what Knative said of the one before',
    inside: 'isUnmade',
    text: 'status?.observedGeneration !== metadata?.generation',
    becomes: 'status === null',
  },
];
