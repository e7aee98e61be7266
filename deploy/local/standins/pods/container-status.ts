// The status that a kubelet writes for one container. It follows from the image's name and from what the site
// lacks. Pure.
//
// No image is pulled here. A word in the image's name selects what the container does:
//
// | word in the image's name | the container                                                                      |
// |--------------------------|------------------------------------------------------------------------------------|
// | `never-pulls`            | waits with ErrImagePull, after a second with ImagePullBackOff                      |
// | `crashes` or `fails`     | exits with code 1: CrashLoopBackOff, or a failed Pod if its restartPolicy is Never |
// | anything else            | is ready at once; a Job's container or an init container exits with code 0         |
//
// Only whole words count: `ghcr.io/me/never-pulls:v1` and `app:crashes`, but not `failsafe`. Where a
// namespace has a ConfigMap `CRASHES`, each container that keeps running there crashes, as `crashes` does.
import { createHash } from 'node:crypto';
import type { ContainerSpec, ContainerState, StandInContainerStatus } from './pod.ts';

export const CRASHES = 'stand-in-crashes';

export type ContainerBehavior = 'never-pulls' | 'crashes' | 'runs';

export function behaviorOf(image: string): ContainerBehavior {
  const words = /(?:^|[^a-z0-9])(never-pulls|crashes|fails)(?![a-z0-9])/.exec(image);
  if (words === null) return 'runs';
  return words[1] === 'never-pulls' ? 'never-pulls' : 'crashes';
}

/** Milliseconds until ErrImagePull becomes ImagePullBackOff, and the run time of a container that ends. */
const PULL_MS = 1000;
export const RUN_MS = 500;
const FIRST_BACK_OFF_MS = 10_000;
const LONGEST_BACK_OFF_MS = 300_000;

export interface Circumstances {
  /** Unix milliseconds. */
  readonly now: number;
  /** The Pod's startTime in Unix milliseconds. Pulls and restarts are timed from it. */
  readonly start: number;
  /** The status written last. */
  readonly before: StandInContainerStatus | undefined;
  /** The missing Secret, ConfigMap or key of its environment, as a kubelet's message. */
  readonly missing: string | null;
  /** It keeps running, as in a Deployment. Otherwise it ends. */
  readonly forever: boolean;
  /** It is restarted after a failure. */
  readonly restarts: boolean;
  /** It fails now, whatever its image. */
  readonly crashes: boolean;
}

export interface ContainerOutcome {
  readonly status: StandInContainerStatus;
  /** Milliseconds until time alone changes this result; null for never. */
  readonly again: number | null;
}

export function waiting(container: ContainerSpec, reason: string, message?: string): StandInContainerStatus {
  return statusOf(container, {
    state: { waiting: { reason, ...(message === undefined ? {} : { message }) } },
  });
}

export function containerOutcome(container: ContainerSpec, its: Circumstances): ContainerOutcome {
  const image = container.image ?? '';
  const behavior = behaviorOf(image);
  if (behavior === 'never-pulls') return neverPulls(container, its);
  if (its.missing !== null)
    return { status: waiting(container, 'CreateContainerConfigError', its.missing), again: null };
  if (behavior === 'crashes' || its.crashes)
    return its.restarts ? crashLoop(container, its) : ends(container, its, 1);
  return its.forever ? runs(container, its) : ends(container, its, 0);
}

function neverPulls(container: ContainerSpec, { now, start }: Circumstances): ContainerOutcome {
  const image = container.image ?? '';
  const problem = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
  const left = start + PULL_MS - now;
  if (left > 0) return { status: waiting(container, 'ErrImagePull', problem), again: left };
  return {
    status: waiting(
      container,
      'ImagePullBackOff',
      `Back-off pulling image "${image}": ErrImagePull: ${problem}`,
    ),
    again: null,
  };
}

function runs(container: ContainerSpec, { now, before }: Circumstances): ContainerOutcome {
  const startedAt = before?.state.running?.startedAt ?? stamp(now);
  return {
    status: statusOf(container, { state: { running: { startedAt } }, ready: true, started: true }),
    again: null,
  };
}

function ends(container: ContainerSpec, its: Circumstances, exitCode: number): ContainerOutcome {
  const { now, before } = its;
  if (before?.state.terminated !== undefined)
    return { status: statusOf(container, { state: before.state, pulled: true }), again: null };
  const startedAt = before?.state.running?.startedAt;
  if (startedAt === undefined || Date.parse(startedAt) + RUN_MS > now) {
    const running = runs(container, its);
    return {
      status: running.status,
      again: startedAt === undefined ? RUN_MS : Date.parse(startedAt) + RUN_MS - now,
    };
  }
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  const terminated = { exitCode, reason, startedAt, finishedAt: stamp(now) };
  return { status: statusOf(container, { state: { terminated }, pulled: true }), again: null };
}

function crashLoop(container: ContainerSpec, { now, start, before }: Circumstances): ContainerOutcome {
  const { restarts, backOffMs, again } = restartsAfter(Math.max(0, now - start));
  const same = before?.restartCount === restarts ? before.lastState.terminated : undefined;
  const at = stamp(now);
  const terminated = same ?? { exitCode: 1, reason: 'Error', startedAt: at, finishedAt: at };
  const message = `back-off ${backOffMs / 1000}s restarting failed container=${container.name}`;
  const state = { waiting: { reason: 'CrashLoopBackOff', message } };
  return {
    status: statusOf(container, { state, lastState: { terminated }, restartCount: restarts, pulled: true }),
    again,
  };
}

/**
 * The restarts of a container that fails at once, after `ageMs`: the backoff is 10 s and doubles up to five
 * minutes.
 */
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
): StandInContainerStatus {
  const image = container.image ?? '';
  const imageID = pulled ? `stand-in@sha256:${createHash('sha256').update(image).digest('hex')}` : '';
  return { name: container.name, image, imageID, ready, started, restartCount, state, lastState };
}

/** A time as Kubernetes writes it, in whole seconds. */
export function stamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
