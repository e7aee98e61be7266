// Every timeout and retry of activities. Each call carries a summary, which the Temporal UI shows.
import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  type ActivityOptions,
} from '@temporalio/workflow';
import { TERMINAL } from '../failures.ts';
import { agentQueue, HUB_QUEUE } from '../names.ts';
import type { Drills } from '../drill/port.ts';
import type { Joins } from '../join/port.ts';
import type { Metal } from '../metal/port.ts';
import type { Hub } from '../ports/hub.ts';
import type { Agent } from '../ports/agent.ts';
import type { Shipping } from './runtime.ts';
import { VERIFY_SPARE_MS } from '../types/verification.ts';

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
  reserve: {
    startToCloseTimeout: '30s',
    retry: { initialInterval: '500ms', maximumAttempts: 3, nonRetryableErrorTypes },
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
 * Reads and writes of the hub. One try may ask and write for 24 s of its 30 (`activities/trying.ts`), and one
 * call for 10 s. The number of tries is not limited.
 */
export function hub(summary: string) {
  return proxyActivities<
    Shipping &
      Pick<
        Hub,
        | 'plan'
        | 'takeUp'
        | 'sayFailing'
        | 'startOver'
        | 'readDrain'
        | 'reportDrain'
        | 'turnFleet'
        | 'identify'
      > &
      Joins &
      Omit<Metal, 'reserveHosts'>
  >({
    ...TERMS.hub,
    taskQueue: HUB_QUEUE,
    summary,
  });
}

/** What a drill reads of the hub, and what it writes there. */
export function drills(summary: string) {
  return proxyActivities<Drills>({ ...TERMS.hub, taskQueue: HUB_QUEUE, summary });
}

/** A turn to reserve hosts, for which all others wait: whoever is not served in three tries asks again. */
export function reserve(summary: string) {
  return proxyActivities<Pick<Metal, 'reserveHosts'>>({
    ...TERMS.reserve,
    taskQueue: HUB_QUEUE,
    summary,
  });
}

/** Reads of caches, in the worker that runs the workflow. */
export function localRead(summary: string) {
  return proxyLocalActivities<Pick<Hub, 'choose' | 'compare' | 'cappsOn'>>({
    ...TERMS.localRead,
    summary,
  });
}

/** Calls to Temporal itself. A call that cannot be made counts as one without an answer. */
export function ask(summary: string) {
  return proxyLocalActivities<Pick<Hub, 'requestTurn' | 'settle'>>({
    ...TERMS.ask,
    summary,
  });
}

/** Many calls to Temporal, tried once: a second try beside the first would send every message twice. */
export function tell(summary: string) {
  return proxyLocalActivities<Pick<Hub, 'answer'>>({
    ...TERMS.tell,
    summary,
  });
}

/**
 * Writes of the hub that mostly take a moment, and 4 s at most, in the worker that runs the workflow. They
 * hold its workflow task, so they are tried once.
 */
export function localWrite(summary: string) {
  return proxyLocalActivities<Shipping & Pick<Hub, 'place' | 'reportDrain' | 'turnFleet'>>({
    ...TERMS.localWrite,
    summary,
  });
}

/**
 * Waits on a site. The schedule-to-start timeout tells that no agent is there; a dead agent is noticed after
 * 20 s without a heartbeat.
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

/**
 * `ms`: how long one try may take. An agent that ends meanwhile is noticed after 20 s, and the checks
 * count on when one is there.
 */
export function agentVerify(cluster: string, summary: string, ms: number) {
  return proxyActivities<Pick<Agent, 'verify' | 'verifyMetrics'>>({
    taskQueue: agentQueue(cluster),
    startToCloseTimeout: ms,
    scheduleToCloseTimeout: 2 * ms + VERIFY_SPARE_MS,
    heartbeatTimeout: '20s',
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: {
      initialInterval: '1s',
      maximumInterval: '30s',
      maximumAttempts: 5,
      nonRetryableErrorTypes,
    },
    summary,
  });
}

/** A site's figures. An agent that does not start within 20 s has no score this time. */
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

/** What a drill asks of a site. An agent that does not answer is a result. */
export function agentInspect(cluster: string, summary: string) {
  return proxyActivities<Pick<Agent, 'inspect'>>({
    taskQueue: agentQueue(cluster),
    startToCloseTimeout: '20s',
    scheduleToStartTimeout: '20s',
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    retry: { initialInterval: '1s', maximumAttempts: 2, nonRetryableErrorTypes },
    summary,
  });
}

/** Tried once as well: the next run writes what this one could not. */
export function publication(summary: string) {
  return proxyLocalActivities<Pick<Hub, 'publishScore'>>({
    startToCloseTimeout: '5s',
    retry: { maximumAttempts: 1, nonRetryableErrorTypes },
    summary,
  });
}
