// Stand-in for Knative's autoscaler on a site: copies the state of Deployments to PodAutoscalers, and scales
// unreachable revisions to zero.
//
// Knative's own autoscaler binds a fixed port on all interfaces, and without traffic it has nothing to
// measure. This one creates no ServerlessServices: there is no activator, and the ingress stand-in finds a
// revision's Pods by their label.
import { isDeepStrictEqual } from 'node:util';
import { DEPLOYMENT } from '../../../../crds/kubernetes/core.ts';
import { KNATIVE_REVISION_LABEL } from '../../../../crds/kubernetes/knative.ts';
import { cache } from '../../../../kube/watch/cache.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyOf, keyText, type Key, type Resource } from '../../../../kube/resource.ts';
import { scaleOf, type ScaledDeployment, type PodAutoscaler } from './scale.ts';
import { partQueue, type OnPartProblem, type StandIn } from '../stand-in.ts';

const POD_AUTOSCALER = {
  apiVersion: 'autoscaling.internal.knative.dev/v1alpha1',
  kind: 'PodAutoscaler',
  plural: 'podautoscalers',
  namespaced: true,
} as const satisfies Resource;
export function autoscaler(kube: Kube, onProblem: OnPartProblem): StandIn {
  const watched = { onProblem: (error: unknown) => onProblem('autoscaler', error) };
  const autoscalers = cache<PodAutoscaler>(kube, { resource: POD_AUTOSCALER, ...watched });
  const deployments = cache<ScaledDeployment>(kube, {
    resource: DEPLOYMENT,
    labelSelector: KNATIVE_REVISION_LABEL,
    ...watched,
  });
  const after = [autoscalers.synced, deployments.synced];
  const queue = partQueue({ name: 'autoscaler', onProblem, after, work: reconcile });
  autoscalers.subscribe(({ object }) => queue.add(keyText(keyOf(object))));
  deployments.subscribe(({ object: { metadata } }) => {
    const name = metadata.labels?.[KNATIVE_REVISION_LABEL] ?? metadata.name;
    queue.add(keyText({ namespace: metadata.namespace ?? null, name }));
  });

  async function reconcile(key: Key): Promise<void> {
    const known = autoscalers.get(key);
    if (known === undefined || known.metadata.deletionTimestamp !== undefined) return;
    const target = { namespace: key.namespace, name: known.spec.scaleTargetRef.name };
    const deployment = deployments.get(target);
    if (deployment === undefined) return;
    const { status, replicas, again } = scaleOf(known, deployment, Date.now());
    if (replicas !== (deployment.spec.replicas ?? 1)) {
      await kube.patch(DEPLOYMENT, target, {
        metadata: { uid: deployment.metadata.uid },
        spec: { replicas },
      });
    }
    const isWritten = Object.entries(status).every(([field, value]) =>
      isDeepStrictEqual(known.status?.[field], value),
    );
    if (!isWritten)
      await kube.patch(
        POD_AUTOSCALER,
        key,
        { metadata: { uid: known.metadata.uid }, status },
        { subresource: 'status' },
      );
    if (again !== null) queue.add(keyText(key), again);
  }

  return {
    synced: Promise.all(after).then(() => undefined),
    stop: async () => {
      await queue.stop();
      await Promise.all([autoscalers.stop(), deployments.stop()]);
    },
  };
}
