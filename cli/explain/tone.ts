// How something stands, in one of six words. Each is drawn with a shape and a colour of its own.
import type { ShownPhase } from './capp/phase.ts';

export const TONES = ['bad', 'moving', 'busy', 'held', 'unknown', 'good'] as const;
export type Tone = (typeof TONES)[number];

/** `isSeen`: somebody on the site can say how it is now. */
export function toneOf(phase: ShownPhase, isSeen = true): Tone {
  if (!isSeen && phase !== 'Deleting') return 'unknown';
  switch (phase) {
    case 'Ready':
      return 'good';
    case 'Degraded':
      return 'bad';
    case 'Moving':
      return 'moving';
    case 'Paused':
      return 'held';
    case 'New':
    case 'Placing':
    case 'RollingOut':
    case 'Deleting':
      return 'busy';
  }
}

/** Of a condition: what is not known is on its way. */
export function toneOfStatus(status: string | undefined): Tone {
  return status === 'True' ? 'good' : status === 'False' ? 'bad' : 'busy';
}

export type Counts = Readonly<Record<Tone, number>>;

export function countsOf(tones: readonly Tone[]): Counts {
  const counts: Record<Tone, number> = { bad: 0, moving: 0, busy: 0, held: 0, unknown: 0, good: 0 };
  for (const tone of tones) counts[tone] += 1;
  return counts;
}
