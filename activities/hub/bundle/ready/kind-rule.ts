// A rule by which objects of a kind are judged.
import type { Sign } from './cel.ts';

export interface KindRule {
  /** In CEL. */
  readonly ready: string;
  /** Waiting does not help: these conditions, once the present generation is observed, or this CEL. */
  readonly failed?: readonly Sign[];
  readonly failedWhen?: string;
  /** Conditions that say what it waits for; what the first that it has says is repeated. */
  readonly waits?: readonly Sign[];
  /** Where they stand elsewhere: a CEL of a list of conditions, of which the first is repeated. */
  readonly waitsBy?: string;
  /** Where it has none: a CEL, and our words while that is so. */
  readonly waitsWhen?: readonly [when: string, words: string];
  /** The agent watches the object; otherwise it looks every few seconds. It watches fifty objects at most. */
  readonly isWatched?: boolean;
}
