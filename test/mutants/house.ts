// Faults in the checks of our own sources.
import type { Mutant } from './mutant.ts';

const NAMESAKES = { file: 'lint/namesakes.ts', seenBy: ['test/unit/house/namesakes.test.ts'] };

export const HOUSE: readonly Mutant[] = [
  {
    ...NAMESAKES,
    breaks: 'two files may export types of one name',
    inside: 'namesakes',
    text: 'those.length === 1',
    becomes: 'those.length <= 2',
  },
  {
    ...NAMESAKES,
    breaks: 'a type that is exported below its declaration may have the name of another',
    inside: 'namesFor',
    text: 'declared.has(one.orig.value)',
    becomes: 'false',
  },
  {
    breaks: 'clusters of tests that begin with one ground share an identity',
    file: 'test/support/servers/ground/ground.ts',
    seenBy: ['test/activity/local/ground.test.ts'],
    inside: null,
    text: "'namespaces/kube-system', ",
    becomes: '',
  },
  {
    breaks: 'tests begin with what an API server of other flags has laid',
    file: 'test/support/servers/ground/ground.ts',
    seenBy: ['test/unit/local/ground.test.ts'],
    inside: null,
    text: 'HOW, flags, objects',
    becomes: 'HOW, objects',
  },
];
