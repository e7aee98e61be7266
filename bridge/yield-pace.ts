// How fast the bridge rings what can wait: as fast as the hub workers keep up, so that such rings wait in the
// bridge, where a new Capp passes them, and not in Temporal's queue, where it would not.
import { HUB_QUEUE } from '../workflows/names.ts';
import { backlogOf, type Service } from '../temporal/task-queues.ts';
import { BRIDGE_TIMES } from './times.ts';

export interface YieldPace {
  /** The pause after the next such ring, in milliseconds. Never throws. */
  pauseMs(): number;
}

/**
 * How long the oldest task of the hub workers' queue has waited, in milliseconds; null if that is not known.
 */
export type Backlog = () => Promise<number | null>;

export interface Pace {
  readonly pauseMs: number;
  /** Whether a look has found tasks that wait since the storm began. */
  readonly hasMet: boolean;
}

const { yieldFirst, yieldBlind, yieldShortest, yieldLongest, yieldLate } = BRIDGE_TIMES;

const BEGIN: Pace = { pauseMs: yieldFirst.ms, hasMet: false };

/** Faster by so much after each look that finds nobody waiting: at first, and once the limit has been met. */
const FASTER = { first: 0.7, later: 0.9 };
const SLOWER = 2;

/** The pace after a look. Pure. */
export function paceAfter(pace: Pace, backlogMs: number | null): Pace {
  if (backlogMs === null) return { ...pace, pauseMs: yieldBlind.ms };
  if (backlogMs > yieldLate.ms)
    return { pauseMs: Math.min(yieldLongest.ms, pace.pauseMs * SLOWER), hasMet: true };
  const factor = pace.hasMet ? FASTER.later : FASTER.first;
  return { ...pace, pauseMs: Math.max(yieldShortest.ms, pace.pauseMs * factor) };
}

/** Looks at the queue while such rings are sent, and not otherwise. */
export function yieldPace(
  backlog: Backlog,
  onError: (error: unknown) => void,
  now: () => number = Date.now,
): YieldPace {
  let pace = BEGIN;
  let lookedAt = -Infinity;
  const unknown = (error: unknown): null => {
    onError(error);
    return null;
  };
  const look = async (): Promise<void> => {
    const sinceLast = now() - lookedAt;
    if (sinceLast < BRIDGE_TIMES.yieldLook.ms) return;
    lookedAt = now();
    // Another storm: what the last one met says nothing of this one.
    if (sinceLast > BRIDGE_TIMES.yieldForget.ms) pace = BEGIN;
    else pace = paceAfter(pace, await backlog().catch(unknown));
  };
  return {
    pauseMs: () => {
      void look();
      return pace.pauseMs;
    },
  };
}

export function backlogBy(service: Service): Backlog {
  return () => backlogOf(service, { name: HUB_QUEUE, tasks: 'Workflow' });
}
