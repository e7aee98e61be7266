// Every timeout and retry of activities. Each call carries a summary, which the Temporal UI shows.
import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  type ActivityOptions,
} from '@temporalio/workflow';
import { TERMINAL } from '../failures.ts';
import { agentQueue, HUB_QUEUE } from '../names.ts';
import type { Agent, Hub } from '../ports.ts';
import type { Shipping } from './runtime.ts';

const nonRetryableErrorTypes = [...TERMINAL];

/** How long one try of the hub's activities may take, and how often they are tried. */
export const TERMS = {
  hub: {
    startToCloseTimeout: '30s',
    retry: {
      initialInterval: '500ms',
      backoffCoefficient: 2,
      maximumInterval: '60s',
      nonRetryableErrorTypes,
    },
  },
  localRead: {
    startToCloseTimeout: '1s',
    retry: { initialInterval: '50ms', maximumAttempts: 2, nonRetryableErrorTypes },
  },
  ask: { startToCloseTimeout: '5s', retry: { maximumAttempts: 2, nonRetryableErrorTypes } },
  tell: { startToCloseTimeout: '5s', retry: { maximumAttempts: 1, nonRetryableErrorTypes } },
  localWrite: { startToCloseTimeout: '5s', retry: { maximumAttempts: 1, nonRetryableErrorTypes } },
} as const satisfies Readonly<Record<string, Pick<ActivityOptions, 'startToCloseTimeout' | 'retry'>>>;

/**
 * Reads and writes of the hub: one try asks and writes for 24 s of its 30 (`activities/trying.ts`), a call
 * for 10; tries are not counted.
 */
export function hub(summary: string) {
  return proxyActivities<
    Shipping & Pick<Hub, 'retire' | 'plan' | 'steer' | 'takeUp' | 'sayFailing' | 'startOver'>
  >({
    ...TERMS.hub,
    taskQueue: HUB_QUEUE,
    summary,
  });
}

/** What only looks into caches, at once, in the worker that runs the workflow. */
export function localRead(summary: string) {
  return proxyLocalActivities<Pick<Hub, 'choose' | 'compare' | 'cappsOn'>>({
    ...TERMS.localRead,
    summary,
  });
}

/** Calls to Temporal itself. What cannot be said is as if it had not been answered. */
export function ask(summary: string) {
  return proxyLocalActivities<Pick<Hub, 'requestTurn' | 'settle' | 'conclude'>>({
    ...TERMS.ask,
    summary,
  });
}

/** Many calls to Temporal, tried once: a second try beside the first would tell everybody twice. */
export function tell(summary: string) {
  return proxyLocalActivities<Pick<Hub, 'answer'>>({
    ...TERMS.tell,
    summary,
  });
}

/**
 * Writes of the hub that are mostly done in a moment, and never later than 4 s, in the worker that runs the
 * workflow. They hold its turn, so they are tried once.
 */
export function localWrite(summary: string) {
  return proxyLocalActivities<Shipping & Pick<Hub, 'place'>>({
    ...TERMS.localWrite,
    summary,
  });
}

/**
 * Waits on a site: schedule-to-start is how we learn that no agent is there; a dead one is noticed after 20 s
 * without a heartbeat.
 */
export function agentVerdict(cluster: string, summary: string) {
  return proxyActivities<Pick<Agent, 'awaitVerdict'>>({
    taskQueue: agentQueue(cluster),
    startToCloseTimeout: '30m',
    scheduleToStartTimeout: '60s',
    heartbeatTimeout: '20s',
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { initialInterval: '1s', maximumInterval: '30s', nonRetryableErrorTypes },
    summary,
  });
}

/** One look at a site. */
export function agentReport(cluster: string, summary: string) {
  return proxyActivities<Pick<Agent, 'report'>>({
    taskQueue: agentQueue(cluster),
    startToCloseTimeout: '10s',
    scheduleToStartTimeout: '60s',
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { initialInterval: '1s', maximumAttempts: 3, nonRetryableErrorTypes },
    summary,
  });
}

/** A site's figures: an agent that does not take it up within 20 s has no score this time. */
export function agentMeasure(cluster: string, summary: string) {
  return proxyActivities<Pick<Agent, 'measure'>>({
    taskQueue: agentQueue(cluster),
    startToCloseTimeout: '10s',
    scheduleToStartTimeout: '20s',
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { initialInterval: '1s', maximumAttempts: 2, nonRetryableErrorTypes },
    summary,
  });
}

/** Tried once as well: what cannot be written now is left to the next run. */
export function publication(summary: string) {
  return proxyLocalActivities<Pick<Hub, 'publishScore'>>({
    startToCloseTimeout: '5s',
    retry: { maximumAttempts: 1, nonRetryableErrorTypes },
    summary,
  });
}
