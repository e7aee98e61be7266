// The status of a Knative Ingress. Pure.
import { condition } from '../knative/condition.ts';
import type { KnativeIngress } from './ingress-object.ts';

/** Knative makes it the name behind each app's Service in the site. Nothing resolves it here. */
const BALANCER = { ingress: [{ domainInternal: 'local-ingress.knative-serving.svc.cluster.local' }] };
const CONDITIONS = ['LoadBalancerReady', 'NetworkConfigured', 'Ready'] as const;

/**
 * `missing` is what it waits for, or null. Once Ready, a generation stays Ready when its Pods go, as with
 * Knative's own ingresses: they know rules, and no Pods. `now` in Unix milliseconds.
 */
export function ingressStatus(
  ingress: KnativeIngress,
  missing: string | null,
  now: number,
): Record<string, unknown> {
  const { metadata, status } = ingress;
  const isServed = missing === null || isReady(ingress);
  const conditions = CONDITIONS.map((type) =>
    condition(
      status?.conditions,
      isServed
        ? { type, status: 'True' }
        : { type, status: 'Unknown', reason: 'NoReadyPod', message: missing ?? '' },
      now,
    ),
  );
  return {
    observedGeneration: metadata.generation,
    conditions,
    publicLoadBalancer: BALANCER,
    privateLoadBalancer: BALANCER,
  };
}

function isReady({ metadata, status }: KnativeIngress): boolean {
  return (
    status?.observedGeneration === metadata.generation &&
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true
  );
}
