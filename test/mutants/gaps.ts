// Faults in the rule of a storm that no app stops without a reason, where a work of the hub is the reason.
import type { Mutant } from './mutant.ts';

const SERVED = {
  file: 'test/soak/storm/check/served.ts',
  seenBy: ['test/unit/soak/served.test.ts'],
} as const;

export const GAPS: readonly Mutant[] = [
  {
    ...SERVED,
    breaks: 'an illness excuses a gap that the hub makes',
    inside: null,
    text: "fact.kind === 'Capp' && isIllThere(fact, illnesses)",
    becomes: 'illnesses.length > 0',
  },
  {
    ...SERVED,
    breaks: 'a gap that begins with the end of a work is told much later',
    inside: 'cappOf',
    text: "kind === 'ManifestWork' ? (of ?? before?.of ?? null) : null",
    becomes: 'null',
  },
];
