// The status of a Pod whose containers are processes: what a kubelet would write of its address and of its
// readiness, on top of what follows from the Pod itself. Pure.
import { stamp } from '../../standins/pods/container-status.ts';
import type { StandInPod, PodCondition, PodStatus } from '../../standins/pods/pod.ts';

export interface Processes {
  readonly ip: string;
  /** Its readiness probe succeeds. */
  readonly isReady: boolean;
  /** How often its containers ended, by name. */
  readonly restarts: Readonly<Record<string, number>>;
}

/** Whether all its containers would run now: nothing that it needs is missing, and no image fails. */
export function mayRun({ containerStatuses }: PodStatus): boolean {
  return containerStatuses.every(({ state }) => state.running !== undefined);
}

/** `processes` is null while none runs. `now` in Unix milliseconds. */
export function withProcesses(
  pod: StandInPod,
  status: PodStatus,
  { processes, now }: { processes: Processes | null; now: number },
): PodStatus {
  const { podIP: _ip, podIPs: _ips, ...rest } = status;
  const isReady = processes?.isReady === true;
  const address = processes === null ? {} : { podIP: processes.ip, podIPs: [{ ip: processes.ip }] };
  return {
    ...rest,
    ...address,
    containerStatuses: status.containerStatuses.map((container) => ({
      ...container,
      ready: container.ready && isReady,
      restartCount: Math.max(container.restartCount, processes?.restarts[container.name] ?? 0),
    })),
    conditions: status.conditions.map((one) => (isReady ? one : unready(pod, one, now))),
  };
}

function unready(pod: StandInPod, condition: PodCondition, now: number): PodCondition {
  const { type } = condition;
  if (condition.status === 'False' || (type !== 'Ready' && type !== 'ContainersReady')) return condition;
  const before = pod.status?.conditions?.find((one) => one.type === type && one.status === 'False');
  return {
    type,
    status: 'False',
    reason: 'ContainersNotReady',
    message: 'the readiness probe has not succeeded',
    lastProbeTime: null,
    lastTransitionTime: before?.lastTransitionTime ?? stamp(now),
  };
}
