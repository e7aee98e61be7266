// What a pod asks for, as Kubernetes' scheduler counts it. Pure.
import type { Pod, PodContainer } from './core.ts';
import { amountOf } from './quantity.ts';

/** Cores and bytes. */
export interface Amounts {
  readonly cpu: number;
  readonly memory: number;
}

type Resource = keyof Amounts;
type Asked = 'requests' | 'limits';

/**
 * A pod's requests as Kubernetes' scheduler counts them (component-helpers: resource/helpers.go,
 * PodRequests): those of its containers and sidecars together, or the largest of its start if that is more,
 * or those of the pod as a whole; plus its overhead.
 */
export function requestOf(pod: Pick<Pod, 'spec'>): Amounts {
  return { cpu: askedFor(pod, 'cpu', 'requests'), memory: askedFor(pod, 'memory', 'requests') };
}

/** The same of its limits. What sets none counts as nothing. */
export function limitOf(pod: Pick<Pod, 'spec'>): Amounts {
  return { cpu: askedFor(pod, 'cpu', 'limits'), memory: askedFor(pod, 'memory', 'limits') };
}

function askedFor({ spec = {} }: Pick<Pod, 'spec'>, resource: Resource, asked: Asked): number {
  const { containers = [], initContainers = [], resources, overhead } = spec;
  const whole = resources?.[asked]?.[resource];
  return (
    (whole === undefined
      ? together(containers, initContainers, (one) => amountOf(one.resources?.[asked]?.[resource] ?? 0))
      : amountOf(whole)) + amountOf(overhead?.[resource] ?? 0)
  );
}

function together(
  containers: readonly PodContainer[],
  initContainers: readonly PodContainer[],
  askedBy: (container: PodContainer) => number,
): number {
  let sidecars = 0;
  let greediest = 0;
  for (const container of initContainers) {
    const asked = askedBy(container);
    if (container.restartPolicy === 'Always') sidecars += asked;
    greediest = Math.max(greediest, container.restartPolicy === 'Always' ? sidecars : sidecars + asked);
  }
  const running = containers.reduce((total, container) => total + askedBy(container), sidecars);
  return Math.max(running, greediest);
}
