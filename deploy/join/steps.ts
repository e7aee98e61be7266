// What `cappstan join` says while a cluster joins, and when it ends: pure.
import type { JoinProgress } from './watch.ts';

/**
 * A step is stuck when it has had the same reason for so long. Rules know what is usual; this is for storms.
 */
export const STUCK_AFTER_MS = 120_000;
/** Longer than a hub takes to start again, or than a step without a reason: the agent does not see each. */
export const SILENT_AFTER_MS = 300_000;

/** A token may not read all that the hub knows, such as who had the name before. */
const ASK = 'The hub may know why this lasts. Ask there: cappstan joins.';

export interface JoinStep {
  /** Phase and reason; empty before anything is known. */
  readonly key: string;
  readonly sentence: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface SeenStep {
  readonly step: JoinStep;
  /** What is to be said now; null: it has been said. */
  readonly say: string | null;
  readonly end: 'joined' | 'stuck' | null;
}

export function firstStep(now: number): JoinStep {
  return {
    key: '',
    sentence: 'OCM’s agent has not come to the hub, or the hub does not answer. The agent’s log says which.',
    since: now,
  };
}

/** `progress` null: nothing is known now. That is no step until it lasts. */
export function nextStep(before: JoinStep, progress: JoinProgress | null, now: number): SeenStep {
  if (progress === null) {
    const isLate = before.key === '' && now - before.since >= SILENT_AFTER_MS;
    return { step: before, say: null, end: isLate ? 'stuck' : null };
  }
  const { phase, reason, message } = progress;
  const key = `${phase}/${reason ?? ''}`;
  const name = reason === null ? phase : `${phase}, ${reason}`;
  const sentence = `${name}: ${message}`;
  const step = { key, sentence, since: key === before.key ? before.since : now };
  const say = sentence === before.sentence ? null : sentence;
  // What is wrong with a cluster that has joined is for its hub, and is no step of the join.
  if (phase === 'Equipped') return { step, say: null, end: 'joined' };
  const isStuck = now - step.since >= (reason === null ? SILENT_AFTER_MS : STUCK_AFTER_MS);
  if (!isStuck || reason !== null) return { step, say, end: isStuck ? 'stuck' : null };
  return { step: { ...step, sentence: `${sentence} ${ASK}` }, say, end: 'stuck' };
}
