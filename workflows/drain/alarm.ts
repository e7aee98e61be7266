// One timer for all that a loop waits for. Waking the loop does not cancel it, so waking costs no events.
import { isCancellation } from '@temporalio/workflow';
import type { WorkBeside, Runtime } from '../engine/runtime.ts';

export interface Alarm {
  /**
   * Will ring by then, in milliseconds since the epoch: perhaps sooner, if an earlier time was asked for
   * before.
   */
  by(time: number): void;
  /** How often it has gone off. */
  wentOff(): number;
}

export function alarm({ beside, now, sleep }: Runtime, summary: string): Alarm {
  let wentOff = 0;
  let standing: { readonly at: number; readonly waiting: WorkBeside<void> } | null = null;

  function by(time: number): void {
    if (standing !== null && standing.at <= time) return;
    standing?.waiting.cancel();
    const mine = { at: time, waiting: beside(() => sleep(Math.max(1, time - now()), summary)) };
    standing = mine;
    void mine.waiting.result.then(
      () => {
        standing = null;
        wentOff += 1;
      },
      (error: unknown) => {
        if (!isCancellation(error)) throw error;
      },
    );
  }

  return { by, wentOff: () => wentOff };
}
