// Stand-in for the ingress of a site: marks every Knative Ingress as ready. Nothing listens.
import { isDeepStrictEqual } from 'node:util';
import { cache } from '../../../../kube/watch/cache.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyOf, keyText, type Key, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { condition, type Condition } from './condition.ts';
import { partQueue, type OnProblem, type StandIn } from '../stand-in.ts';

/** The ingress class in Knative's config-network. */
export const INGRESS_CLASS = 'local.ingress.networking.knative.dev';
const BALANCER = { ingress: [{ domainInternal: 'local-ingress.knative-serving.svc.cluster.local' }] };

const INGRESS = {
  apiVersion: 'networking.internal.knative.dev/v1alpha1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
} as const satisfies Resource;

interface Ingress extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly [field: string]: unknown };
}

export function ingressStatus({ metadata, status }: Ingress, now: number): Record<string, unknown> {
  const conditions = ['LoadBalancerReady', 'NetworkConfigured', 'Ready'].map((type) =>
    condition(status?.conditions, { type, status: 'True' }, now),
  );
  return {
    observedGeneration: metadata.generation,
    conditions,
    publicLoadBalancer: BALANCER,
    privateLoadBalancer: BALANCER,
  };
}

export function ingress(kube: Kube, onProblem: OnProblem): StandIn {
  const ingresses = cache<Ingress>(kube, {
    resource: INGRESS,
    onProblem: (error) => onProblem('ingress', error),
  });
  const queue = partQueue({ name: 'ingress', onProblem, after: [ingresses.synced], work: reconcile });
  ingresses.subscribe(({ object }) => queue.add(keyText(keyOf(object))));

  async function reconcile(key: Key): Promise<void> {
    const known = ingresses.get(key);
    if (known === undefined || known.metadata.deletionTimestamp !== undefined) return;
    const status = ingressStatus(known, Date.now());
    if (Object.entries(status).every(([field, value]) => isDeepStrictEqual(known.status?.[field], value)))
      return;
    await kube.patch(
      INGRESS,
      key,
      { metadata: { uid: known.metadata.uid }, status },
      { subresource: 'status' },
    );
  }

  return {
    synced: ingresses.synced,
    stop: async () => {
      await queue.stop();
      await ingresses.stop();
    },
  };
}
