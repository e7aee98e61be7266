// Makes the checks of one app side by side, each at its own interval, until all are over or one has failed.
import {
  hasFailed,
  isOver,
  nothingMeasured,
  withMeasurement,
  type Check,
  type Figures,
  type Measurement,
} from '../../../workflows/types/verification.ts';

export interface RunningCheck {
  /** Null: what is to be checked is not there any more. Rejects only with the signal's reason. */
  readonly measure: (check: Check, signal: AbortSignal) => Promise<Measurement | null>;
  /** Rejects with the signal's reason. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

/** Null: what was to be checked has gone meanwhile, so what was counted is about nothing. */
export async function runChecks(
  checks: readonly Check[],
  running: RunningCheck,
  signal: AbortSignal,
): Promise<readonly Figures[] | null> {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  let isGone = false;
  const figures = await Promise.all(
    checks.map((check) =>
      runOne(check, running, either, (how) => {
        isGone ||= how === 'Gone';
        ended.abort();
      }),
    ),
  );
  signal.throwIfAborted();
  return isGone ? null : figures;
}

/** `end`: the others need not go on. Resolves with what was counted by then. */
async function runOne(
  check: Check,
  { measure, pause, now }: RunningCheck,
  signal: AbortSignal,
  end: (how: 'Gone' | 'Failed') => void,
): Promise<Figures> {
  let figures = nothingMeasured(check.name);
  try {
    for (;;) {
      const begun = now();
      const measured = await measure(check, signal);
      signal.throwIfAborted();
      if (measured === null) {
        end('Gone');
        return figures;
      }
      figures = withMeasurement(figures, measured);
      if (hasFailed(check, figures)) end('Failed');
      if (isOver(check, figures)) return figures;
      await pause(Math.max(0, check.intervalMs - (now() - begun)), signal);
    }
  } catch (error) {
    if (signal.aborted) return figures;
    throw error;
  }
}
