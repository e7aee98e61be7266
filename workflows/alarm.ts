// One timer for all that a loop waits for. It stands however often the loop is woken meanwhile, so that being woken costs no events.
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

export interface Alarm {
  /** Will ring by then, in milliseconds since the epoch: perhaps sooner, if an earlier time was asked for before. */
  by(time: number): void;
  /** How often it has rung. */
  rung(): number;
}

export function alarm(summary: string): Alarm {
  let rung = 0;
  let standing: { readonly at: number; readonly scope: CancellationScope } | null = null;

  function by(time: number): void {
    if (standing !== null && standing.at <= time) return;
    standing?.scope.cancel();
    const mine = { at: time, scope: new CancellationScope() };
    standing = mine;
    void mine.scope
      .run(() => sleep(Math.max(1, time - Date.now()), { summary }))
      .then(
        () => {
          standing = null;
          rung += 1;
        },
        (error: unknown) => {
          if (!isCancellation(error)) throw error;
        },
      );
  }

  return { by, rung: () => rung };
}
