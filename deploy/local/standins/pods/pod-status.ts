// The status that a kubelet writes for a Pod. It follows from the Pod, the objects on its site and the time.
// Pure.
import { createHash } from 'node:crypto';
import { containerOutcome, CRASHES, stamp, waiting, type ContainerOutcome } from './container-status.ts';
import { missingEnvironment, missingVolume } from './needs.ts';
import type {
  ContainerSpec,
  StandInContainerStatus,
  StandInPod,
  PodCondition,
  PodStatus,
  PodWorld,
} from './pod.ts';

export interface PodOutcome {
  readonly status: PodStatus;
  /** Milliseconds until time alone changes this result; null for never. */
  readonly again: number | null;
  /** The volume that cannot be mounted. A kubelet reports it only in an event. */
  readonly failedMount: string | null;
}

/** `now` in Unix milliseconds. Times that were written before are kept. */
export function podStatus(pod: StandInPod, world: PodWorld, now: number): PodOutcome {
  const policy = pod.spec.restartPolicy ?? 'Always';
  const startTime = pod.status?.startTime ?? stamp(now);
  const start = Date.parse(startTime);
  const missing = missingVolume(pod, world);
  const inits =
    missing === null
      ? initOutcomes(pod, { world, now, start })
      : (pod.spec.initContainers ?? []).map((init) => held(init, 'PodInitializing'));
  const isInitialized = inits.every(({ status }, index) => isPast(status, pod.spec.initContainers?.[index]));
  const mains = pod.spec.containers.map((container) => {
    if (!isInitialized) return held(container, 'PodInitializing');
    if (missing !== null) return held(container, 'ContainerCreating');
    return outcomeOf(container, pod, {
      world,
      now,
      start,
      forever: pod.spec.restartPolicy !== 'Never' && pod.spec.restartPolicy !== 'OnFailure',
    });
  });
  const containerStatuses = mains.map(({ status }) => status);
  const isLost =
    policy === 'Never' && inits.some(({ status }) => (status.state.terminated?.exitCode ?? 0) !== 0);
  const phase = isLost ? 'Failed' : phaseOf(containerStatuses, policy, isInitialized);
  const facts = { isInitialized, isMounted: missing === null, phase, containerStatuses, now };
  const status: PodStatus = {
    phase,
    startTime,
    ...addresses(pod, missing === null),
    conditions: conditionsOf(pod, facts),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits.map((init) => init.status) }),
    containerStatuses,
  };
  return { status, again: soonest([...inits, ...mains]), failedMount: missing };
}

interface Moment {
  readonly world: PodWorld;
  readonly now: number;
  readonly start: number;
}

function held(container: ContainerSpec, reason: string): ContainerOutcome {
  return { status: waiting(container, reason), again: null };
}

function initOutcomes(pod: StandInPod, moment: Moment): ContainerOutcome[] {
  const outcomes: ContainerOutcome[] = [];
  let blocked = false;
  for (const init of pod.spec.initContainers ?? []) {
    const outcome: ContainerOutcome = blocked
      ? held(init, 'PodInitializing')
      : outcomeOf(init, pod, { ...moment, forever: isSidecar(init) });
    outcomes.push(outcome);
    blocked ||= !isPast(outcome.status, init);
  }
  return outcomes;
}

function outcomeOf(
  container: ContainerSpec,
  pod: StandInPod,
  { world, now, start, forever }: Moment & { forever: boolean },
): ContainerOutcome {
  const written = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  return containerOutcome(container, {
    now,
    start,
    forever,
    before: written.find(({ name }) => name === container.name),
    missing: missingEnvironment(pod.metadata.namespace ?? '', container, world),
    restarts: forever || pod.spec.restartPolicy !== 'Never',
    crashes: forever && world.configMapKeys(pod.metadata.namespace ?? '', CRASHES) !== null,
  });
}

function isSidecar(container: ContainerSpec | undefined): boolean {
  return container?.restartPolicy === 'Always';
}

/** Whether the containers after this init container may start. */
function isPast(status: StandInContainerStatus, container: ContainerSpec | undefined): boolean {
  return isSidecar(container) ? status.started : status.state.terminated?.exitCode === 0;
}

/** It waits and has never run. */
function isUnknown({ state, lastState }: StandInContainerStatus): boolean {
  return state.waiting !== undefined && lastState.terminated === undefined;
}

function phaseOf(
  statuses: readonly StandInContainerStatus[],
  policy: 'Always' | 'OnFailure' | 'Never',
  isInitialized: boolean,
): PodStatus['phase'] {
  if (!isInitialized || statuses.some(isUnknown)) return 'Pending';
  const isOver = statuses.every(({ state }) => state.terminated !== undefined);
  if (!isOver || policy === 'Always') return 'Running';
  return statuses.every(({ state }) => state.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed';
}

function addresses(
  pod: StandInPod,
  hasSandbox: boolean,
): Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'> {
  const host = { hostIP: '127.0.0.1', hostIPs: [{ ip: '127.0.0.1' }] };
  if (!hasSandbox) return host;
  const [a = 0, b = 0, c = 0] = createHash('sha256')
    .update(pod.metadata.uid ?? pod.metadata.name)
    .digest();
  const podIP = `10.${a}.${b}.${(c % 254) + 1}`;
  return { ...host, podIP, podIPs: [{ ip: podIP }] };
}

interface Facts {
  readonly isInitialized: boolean;
  readonly isMounted: boolean;
  readonly phase: PodStatus['phase'];
  readonly containerStatuses: readonly StandInContainerStatus[];
  readonly now: number;
}

function conditionsOf(
  pod: StandInPod,
  { isInitialized, isMounted, phase, containerStatuses, now }: Facts,
): PodCondition[] {
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const unready = containerStatuses.filter(({ ready }) => !ready).map(({ name }) => name);
  const why = {
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
  const ready = isOver
    ? { reason: phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed' }
    : unready.length === 0
      ? {}
      : why;
  const notInitialized = isInitialized ? {} : { reason: 'ContainersNotInitialized' };
  const wanted: Omit<PodCondition, 'lastTransitionTime' | 'lastProbeTime'>[] = [
    { type: 'PodReadyToStartContainers', status: isMounted && !isOver ? 'True' : 'False' },
    { type: 'Initialized', status: isInitialized ? 'True' : 'False', ...notInitialized },
    { type: 'Ready', status: unready.length === 0 && !isOver ? 'True' : 'False', ...ready },
    { type: 'ContainersReady', status: unready.length === 0 && !isOver ? 'True' : 'False', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ];
  const before = pod.status?.conditions ?? [];
  const others = before.filter(({ type }) => !wanted.some((condition) => condition.type === type));
  const dated = wanted.map((condition) => {
    const old = before.find(({ type, status }) => type === condition.type && status === condition.status);
    return Object.assign(condition, {
      lastProbeTime: null,
      lastTransitionTime: old?.lastTransitionTime ?? stamp(now),
    });
  });
  return [...others, ...dated];
}

function soonest(outcomes: readonly ContainerOutcome[]): number | null {
  const times = outcomes.map(({ again }) => again).filter((again) => again !== null);
  return times.length === 0 ? null : Math.min(...times);
}
