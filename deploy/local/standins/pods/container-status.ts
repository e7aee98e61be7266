// What a kubelet would say of one container, given what its image's name decides and what the site lacks. Pure.
import { createHash } from 'node:crypto';
import { fateOf } from './fate.ts';
import type { ContainerSpec, ContainerState, ContainerStatus } from './pod.ts';

/** How long an image that never pulls is tried before it counts as backed off, and how long a thing that ends takes, in milliseconds. */
const PULL_MS = 1000;
export const RUN_MS = 500;
const FIRST_BACK_OFF_MS = 10_000;
const LONGEST_BACK_OFF_MS = 300_000;

export interface Circumstances {
  /** Unix milliseconds. */
  readonly now: number;
  /** When the Pod was first seen, in Unix milliseconds: the clock that pulls, runs and back-offs go by. */
  readonly start: number;
  /** What was last written of this container. */
  readonly before: ContainerStatus | undefined;
  /** What its environment lacks. */
  readonly missing: string | null;
  /** Keeps running, as in a Deployment; otherwise it ends. */
  readonly forever: boolean;
  /** Started again when it ends badly. */
  readonly restarts: boolean;
}

export interface Outcome {
  readonly status: ContainerStatus;
  /** Milliseconds until this may change by itself; null for never. */
  readonly again: number | null;
}

export function waiting(container: ContainerSpec, reason: string, message?: string): ContainerStatus {
  return statusOf(container, { state: { waiting: { reason, ...(message === undefined ? {} : { message }) } } });
}

export function containerOutcome(container: ContainerSpec, its: Circumstances): Outcome {
  const image = container.image ?? '';
  const fate = fateOf(image);
  if (fate === 'never-pulls') return neverPulls(container, its);
  if (its.missing !== null) return { status: waiting(container, 'CreateContainerConfigError', its.missing), again: null };
  if (fate === 'crashes') return its.restarts ? crashLoop(container, its) : ends(container, its, 1);
  return its.forever ? runs(container, its) : ends(container, its, 0);
}

function neverPulls(container: ContainerSpec, { now, start }: Circumstances): Outcome {
  const image = container.image ?? '';
  const problem = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
  const left = start + PULL_MS - now;
  if (left > 0) return { status: waiting(container, 'ErrImagePull', problem), again: left };
  return { status: waiting(container, 'ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: ${problem}`), again: null };
}

function runs(container: ContainerSpec, { now, before }: Circumstances): Outcome {
  const startedAt = before?.state.running?.startedAt ?? stamp(now);
  return { status: statusOf(container, { state: { running: { startedAt } }, ready: true, started: true }), again: null };
}

function ends(container: ContainerSpec, its: Circumstances, exitCode: number): Outcome {
  const { now, before } = its;
  if (before?.state.terminated !== undefined) return { status: statusOf(container, { state: before.state, pulled: true }), again: null };
  const startedAt = before?.state.running?.startedAt;
  if (startedAt === undefined || Date.parse(startedAt) + RUN_MS > now) {
    const running = runs(container, its);
    return { status: running.status, again: startedAt === undefined ? RUN_MS : Date.parse(startedAt) + RUN_MS - now };
  }
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  const terminated = { exitCode, reason, startedAt, finishedAt: stamp(now) };
  return { status: statusOf(container, { state: { terminated }, pulled: true }), again: null };
}

function crashLoop(container: ContainerSpec, { now, start, before }: Circumstances): Outcome {
  const { restarts, backOffMs, again } = restartsAfter(Math.max(0, now - start));
  const same = before?.restartCount === restarts ? before.lastState.terminated : undefined;
  const at = stamp(now);
  const terminated = same ?? { exitCode: 1, reason: 'Error', startedAt: at, finishedAt: at };
  const message = `back-off ${backOffMs / 1000}s restarting failed container=${container.name}`;
  const state = { waiting: { reason: 'CrashLoopBackOff', message } };
  return { status: statusOf(container, { state, lastState: { terminated }, restartCount: restarts, pulled: true }), again };
}

/** Restarts after so many milliseconds when each run ends at once: 10 s of back-off, doubling up to five minutes. */
export function restartsAfter(ageMs: number): { restarts: number; backOffMs: number; again: number } {
  let restarts = 1;
  let backOffMs = FIRST_BACK_OFF_MS;
  let next = backOffMs;
  while (next <= ageMs) {
    restarts += 1;
    backOffMs = Math.min(LONGEST_BACK_OFF_MS, backOffMs * 2);
    next += backOffMs;
  }
  return { restarts, backOffMs, again: next - ageMs };
}

interface Said {
  readonly state: ContainerState;
  readonly lastState?: ContainerState;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly pulled?: boolean;
}

function statusOf(
  container: ContainerSpec,
  { state, lastState = {}, ready = false, started = false, restartCount = 0, pulled = ready }: Said,
): ContainerStatus {
  const image = container.image ?? '';
  const imageID = pulled ? `stand-in@sha256:${createHash('sha256').update(image).digest('hex')}` : '';
  return { name: container.name, image, imageID, ready, started, restartCount, state, lastState };
}

/** As Kubernetes writes times: whole seconds. */
export function stamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
