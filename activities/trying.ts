// Bounds one try of an activity: everything that it begins ends before Temporal gives up the try.
import { AsyncLocalStorage } from 'node:async_hooks';
import { asyncLocalStorage as temporal } from '@temporalio/activity';
import type { Kube } from '../kube/client.ts';
import type { Bounds } from '../kube/http/deadline.ts';
import { pause } from '../kube/pause.ts';
import { raising } from './raise.ts';
import { KUBE_TIMES } from '../kube/times.ts';

/**
 * The rest of startToClose is for the way of the answer to Temporal, and for a process that stalls for a
 * moment.
 */
const SHARE = 0.8;

/** The reason with which the calls of a try that has ended are aborted. */
const ENDED = new Error('The try has ended');

const tries = new AsyncLocalStorage<Bounds>();

/** How long a try may ask and write, of the milliseconds that Temporal waits for it. */
export function timeOf(startToCloseMs: number): number {
  return Math.max(0, Math.min(startToCloseMs * SHARE, startToCloseMs - KUBE_TIMES.margin.ms));
}

/**
 * Runs an activity's body with a Kube for this try alone. What it throws leaves as an ApplicationFailure, or
 * as Temporal's own cancellation.
 */
export function acting<T>(kube: Kube, body: (kube: Kube) => Promise<T>): Promise<T> {
  return trying((bounds) => body(kube.within(bounds)));
}

/**
 * The same for activities that call other servers than an API server. An activity that is made of several has
 * one try.
 */
export function trying<T>(body: (bounds: Bounds) => Promise<T>): Promise<T> {
  return raising(async () => {
    const ended = new AbortController();
    const { until, signal } = tries.getStore() ?? boundsByTemporal();
    const bounds = { until, signal: AbortSignal.any([signal, ended.signal]) };
    try {
      return await tries.run(bounds, () => body(bounds));
    } finally {
      // When one of several calls has failed, the others stop as well: the next try must not meet them.
      ended.abort(ENDED);
    }
  });
}

/** The number of this try of its activity, from 1 on. */
export function tryNumber(): number {
  return temporal.getStore()?.info.attempt ?? 1;
}

/** Milliseconds for which the try that it is part of may still ask and write; Infinity outside of any. */
export function leftOfTry(): number {
  return Math.max(0, (tries.getStore()?.until ?? Infinity) - Date.now());
}

/** Throws the reason for which the try that it is part of has ended, as soon as that ends. */
export async function pauseInTry(ms: number): Promise<void> {
  const { signal } = tries.getStore() ?? boundsByTemporal();
  await pause(ms, signal);
}

/** For tests that run activities without Temporal, and set the time of a try themselves. */
export function tryWithin<T>(bounds: Bounds, work: () => Promise<T>): Promise<T> {
  return tries.run(bounds, work);
}

/** Local activities have a context too: its signal aborts when their time is over, with reason TIMED_OUT. */
function boundsByTemporal(): Bounds {
  const context = temporal.getStore();
  if (context === undefined) return { until: Infinity, signal: new AbortController().signal };
  return {
    until: Date.now() + timeOf(context.info.startToCloseTimeoutMs),
    signal: context.cancellationSignal,
  };
}
