// Since when a watch has heard what happens, with what may be overlooked of interruptions. Pure.
import { KUBE_TIMES } from '../times.ts';

export class FollowedSince {
  #since: number | null = null;
  #isInterrupted = false;
  #brokenAt = 0;
  #resumedAt = -Infinity;

  /** In milliseconds since the epoch; null before the first list, and while it is interrupted. */
  since(): number | null {
    return this.#isInterrupted ? null : this.#since;
  }

  /** What happened before the list, it has not heard when it happened. */
  listed(): void {
    this.#since = null;
  }

  /**
   * How it stands at a time in milliseconds since the epoch. A stream that opens and breaks at once ends no
   * interruption.
   */
  look(isInterrupted: boolean, now: number): void {
    if (isInterrupted && !this.#isInterrupted && now - this.#resumedAt >= KUBE_TIMES.watchShortest.ms)
      this.#brokenAt = now;
    if (!isInterrupted) {
      if (this.#isInterrupted) this.#resumedAt = now;
      if (this.#isInterrupted && now - this.#brokenAt > KUBE_TIMES.watchResumed.ms) this.#since = null;
      this.#since ??= now;
    }
    this.#isInterrupted = isInterrupted;
  }
}
