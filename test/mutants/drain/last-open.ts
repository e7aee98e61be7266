// Faults in what keeps one site open.
import type { Mutant } from '../mutant.ts';

export const LAST_OPEN: readonly Mutant[] = [
  {
    breaks: 'the last site that is open is drained',
    file: 'admission/rules/drain.ts',
    inside: 'closedBeside',
    text: 'closed.length < others.length',
    becomes: 'closed.length <= others.length',
    seenBy: ['test/unit/admission/drain.test.ts'],
  },
  {
    breaks: 'a dry run becomes the drain of the last site that is open',
    file: 'admission/rules/drain.ts',
    inside: 'closesSite',
    text: 'isClosed(object) && !isClosed(oldObject)',
    becomes: 'isClosed(object) && oldObject === null',
    seenBy: ['test/unit/admission/drain.test.ts'],
  },
  {
    breaks: 'two Drains of one moment close the last two sites',
    file: 'workers/webhook/claims.ts',
    inside: 'claim',
    text: 'closesSite(request)',
    becomes: "name === ''",
    seenBy: ['test/unit/webhook/answer.test.ts'],
  },
  {
    breaks: 'a Drain that is being deleted still closes its site to other Drains',
    file: 'workers/webhook/known.ts',
    inside: 'drainingBy',
    text: 'found !== undefined && isDraining(found)',
    becomes: 'found !== undefined',
    seenBy: ['test/unit/webhook/known.test.ts'],
  },
  {
    breaks: 'a cluster that is being deleted counts as a site that is open',
    file: 'admission/rules/drain.ts',
    inside: 'closedBeside',
    text: ' && site.isGoing !== true',
    becomes: '',
    seenBy: ['test/unit/admission/drain.test.ts'],
  },
];
