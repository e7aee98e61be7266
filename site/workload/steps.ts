// Bounds how many Capps get a new revision at a time because the site's configuration has changed.
import { SITE_TIMES } from '../times.ts';

const WIDTH = 10;

export interface Steps {
  /**
   * Whether the Capp with this key may get its new revision now; true again until it ends. After false,
   * `wake` is called with the key when there may be room.
   */
  begin(key: string): boolean;
  /** Whether it has begun and not ended. */
  has(key: string): boolean;
  /** The new revision has succeeded or failed, or the Capp needs none any more. Safe to repeat. */
  end(key: string): void;
}

export interface StepsOptions {
  wake(key: string, delayMs: number): void;
  readonly width?: number;
  /** Unix milliseconds. */
  now?(): number;
}

/** A Capp that has not ended after `stepLongest` makes room: it must not hold up all others. */
export function steps({ wake, width = WIDTH, now = Date.now }: StepsOptions): Steps {
  /** Keys that have begun, oldest first, and until when they count. */
  const under = new Map<string, number>();
  const waiting = new Set<string>();

  function expire(): void {
    for (const [key, until] of under) if (until <= now()) under.delete(key);
  }

  return {
    begin: (key) => {
      expire();
      if (under.has(key)) return true;
      if (under.size < width) {
        waiting.delete(key);
        under.set(key, now() + SITE_TIMES.stepLongest.ms);
        return true;
      }
      waiting.add(key);
      const [first = now()] = under.values();
      wake(key, first - now());
      return false;
    },
    has: (key) => under.has(key),
    end: (key) => {
      const made = under.delete(key);
      if (!waiting.delete(key) && !made) return;
      const [next] = waiting;
      if (next !== undefined && under.size < width) wake(next, 0);
    },
  };
}
