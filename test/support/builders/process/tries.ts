// A try of an activity as a worker runs it: with Temporal's context, hence its time, its number, its
// heartbeats and its cancellation.
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

export interface TryOptions {
  /** 2 for the first repeat. */
  readonly attempt?: number;
  /** How long Temporal waits for the try, in milliseconds. */
  readonly startToCloseMs?: number;
  /** Null for an activity without a heartbeat timeout. */
  readonly heartbeatMs?: number | null;
  readonly isLocal?: boolean;
  /** What the last heartbeat of the try before has told. */
  readonly heartbeatDetails?: unknown;
}

/** Its own type, because the library's `run` forgets what the work answers. */
export interface Try extends Pick<MockActivityEnvironment, 'cancel' | 'on'> {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * One for each try: once cancelled, it stays cancelled. What fails in it is for the test to say, not for a
 * log.
 */
export function aTry({
  attempt = 1,
  startToCloseMs = 30_000,
  heartbeatMs = null,
  isLocal = false,
  heartbeatDetails,
}: TryOptions = {}): Try {
  const info = { attempt, isLocal, startToCloseTimeoutMs: startToCloseMs, heartbeatDetails };
  const beating = heartbeatMs === null ? {} : { heartbeatTimeoutMs: heartbeatMs };
  return new MockActivityEnvironment({ ...info, ...beating }, { logger: new DefaultLogger('ERROR') });
}
