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
  /** What an earlier try has counted: it counts on. */
  readonly before: readonly Figures[];
  /** What was counted by now, whenever that changes. */
  readonly onCounted: (figures: readonly Figures[]) => void;
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
  const counted = new Map(checks.map((check) => [check.name, countedBefore(check, running.before)]));
  const end = (how: 'Gone' | 'Failed'): void => {
    isGone ||= how === 'Gone';
    ended.abort();
  };
  const count = (figures: Figures): void => {
    counted.set(figures.name, figures);
    running.onCounted([...counted.values()]);
  };
  const figures = await Promise.all(
    checks.map((check) =>
      runOne({ check, from: countedBefore(check, running.before) }, running, either, { end, count }),
    ),
  );
  signal.throwIfAborted();
  return isGone ? null : figures;
}

function countedBefore({ name }: Check, before: readonly Figures[]): Figures {
  return before.find((one) => one.name === name) ?? nothingMeasured(name);
}

interface Counting {
  /** The others need not go on. */
  readonly end: (how: 'Gone' | 'Failed') => void;
  readonly count: (figures: Figures) => void;
}

/** Resolves with what was counted by then. */
async function runOne(
  { check, from }: { readonly check: Check; readonly from: Figures },
  { measure, pause, now }: RunningCheck,
  signal: AbortSignal,
  { end, count }: Counting,
): Promise<Figures> {
  let figures = from;
  if (hasFailed(check, figures)) end('Failed');
  if (isOver(check, figures)) return figures;
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
      count(figures);
      if (hasFailed(check, figures)) end('Failed');
      if (isOver(check, figures)) return figures;
      await pause(Math.max(0, check.intervalMs - (now() - begun)), signal);
    }
  } catch (error) {
    if (signal.aborted) return figures;
    throw error;
  }
}
