// Faults in what the reader takes for an answer of a site, and how much of it.
import type { Mutant } from '../mutant.ts';

const LIES = 'test/unit/reach/lying-sites.test.ts';

export const REACH_ANSWERS: readonly Mutant[] = [
  {
    breaks: 'an answer without an end fills the memory',
    file: 'kube/http/bounded-text.ts',
    inside: 'boundedText',
    text: 'left < 0',
    becomes: 'left === Infinity',
    seenBy: ['test/unit/kube/bounds.test.ts'],
  },
  {
    breaks: 'a refusal that never ends holds its caller',
    file: 'kube/http/answer.ts',
    inside: 'refused',
    text: "limit.addEventListener('abort', leave, { once: true });",
    becomes: '',
    seenBy: ['test/unit/kube/bounds.test.ts'],
  },
  {
    breaks: 'bodies of sites have no bound',
    file: 'reach/site/way.ts',
    inside: 'opened',
    text: 'mostBytes: MOST_BYTES_OF_LOOK,',
    becomes: '',
    seenBy: ['test/unit/reach/way.test.ts'],
  },
  {
    breaks: 'a site is looked at as often as anybody asks, at the same time',
    file: 'reach/site/way.ts',
    inside: 'opened',
    text: 'callsAtOnce: MOST_LOOKS,',
    becomes: '',
    seenBy: ['test/unit/reach/way.test.ts'],
  },
  {
    breaks: 'containers of a Pod have no bound',
    file: 'reach/site/answers.ts',
    inside: 'first',
    text: '.slice(0, most)',
    becomes: '',
    seenBy: [LIES],
  },
  {
    breaks: 'Pods of a page have no bound',
    file: 'reach/site/answers.ts',
    inside: 'podsIn',
    text: 'items.slice(0, MOST_PODS)',
    becomes: 'items',
    seenBy: [LIES],
  },
  {
    breaks: 'nobody is told that there are more Pods',
    file: 'reach/site/answers.ts',
    inside: 'podsIn',
    text: "items.length > MOST_PODS || (metadata?.continue ?? '') !== ''",
    becomes: 'items.length > MOST_PODS',
    seenBy: [LIES],
  },
  {
    breaks: 'a Pod’s name leaves its place in a path',
    file: 'reach/site/answers.ts',
    inside: null,
    text: '\n    name: z.string().regex(NAME)',
    becomes: '\n    name: z.string()',
    seenBy: [LIES],
  },
  {
    breaks: 'what one site answers is a failure for all',
    file: 'reach/site/look.ts',
    inside: 'lookAt',
    text: 'signal.throwIfAborted();',
    becomes: 'throw error;',
    seenBy: [LIES],
  },
  {
    breaks: 'a look that hangs goes on when nobody waits for it',
    file: 'reach/site/look.ts',
    inside: 'podsThere',
    text: 'until: Date.now() + READER_TIMES.site.ms, signal }',
    becomes: 'until: Date.now() + READER_TIMES.site.ms, signal: new AbortController().signal }',
    seenBy: [LIES],
  },
];
