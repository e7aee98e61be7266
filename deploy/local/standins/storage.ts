// Stand-in for the storage of a site: binds every PersistentVolumeClaim at once, and creates the claim of
// each NfsPvc as nfspvc-operator does.
//
// No volume exists. The controller that removes a deleted claim's finalizer does not run here, so this
// removes it.
import { NFS_PVC, type NfsPvc } from '../../../crds/kubernetes/knative.ts';
import { cache } from '../../../kube/watch/cache.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyOf, keyText, type Key, type KubeObject, type Resource } from '../../../kube/resource.ts';
import { partQueue, type OnPartProblem, type StandIn } from './stand-in.ts';

export const CLAIM = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
} as const satisfies Resource;
const PROTECTION = 'kubernetes.io/pvc-protection';

export interface VolumeClaim extends KubeObject {
  readonly spec: {
    readonly accessModes: readonly string[];
    readonly resources: { readonly requests?: Readonly<Record<string, string>> };
    readonly storageClassName?: string;
  };
  readonly status?: { readonly phase?: string };
}

type Step =
  | { readonly do: 'nothing' }
  | { readonly do: 'bind'; readonly status: object }
  | { readonly do: 'release'; readonly finalizers: readonly string[] };

/** The next step for a claim. */
export function claimStep({ metadata, spec, status }: VolumeClaim): Step {
  if (metadata.deletionTimestamp !== undefined) {
    const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== PROTECTION);
    return finalizers.length === (metadata.finalizers ?? []).length
      ? { do: 'nothing' }
      : { do: 'release', finalizers };
  }
  if (status?.phase === 'Bound') return { do: 'nothing' };
  return {
    do: 'bind',
    status: { phase: 'Bound', accessModes: spec.accessModes, capacity: spec.resources.requests ?? {} },
  };
}

/**
 * The claim that nfspvc-operator creates for an NfsPvc: with its name, size and access modes, owned by it.
 */
export function claimOf({ metadata, spec = {} }: NfsPvc): VolumeClaim {
  const { name, namespace = '', uid = '' } = metadata;
  return {
    apiVersion: CLAIM.apiVersion,
    kind: CLAIM.kind,
    metadata: {
      name,
      namespace,
      ownerReferences: [{ apiVersion: NFS_PVC.apiVersion, kind: NFS_PVC.kind, name, uid, controller: true }],
    },
    spec: {
      storageClassName: '',
      accessModes: (spec['accessModes'] ?? []) as readonly string[],
      resources: { requests: (spec['capacity'] ?? {}) as Readonly<Record<string, string>> },
    },
  };
}

export function storage(kube: Kube, onProblem: OnPartProblem): StandIn {
  const watched = { onProblem: (error: unknown) => onProblem('storage', error) };
  const claims = cache<VolumeClaim>(kube, { resource: CLAIM, ...watched });
  const volumes = cache<NfsPvc>(kube, { resource: NFS_PVC, ...watched });
  const claimQueue = partQueue({ name: 'storage', onProblem, after: [claims.synced], work: reconcileClaim });
  const volumeQueue = partQueue({
    name: 'storage',
    onProblem,
    after: [claims.synced, volumes.synced],
    work: reconcileVolume,
  });
  claims.subscribe(({ object }) => {
    claimQueue.add(keyText(keyOf(object)));
    volumeQueue.add(keyText(keyOf(object)));
  });
  volumes.subscribe(({ object }) => volumeQueue.add(keyText(keyOf(object))));

  async function reconcileClaim(key: Key): Promise<void> {
    const claim = claims.get(key);
    if (claim === undefined) return;
    const { uid, resourceVersion } = claim.metadata;
    const step = claimStep(claim);
    if (step.do === 'bind')
      await kube.patch(CLAIM, key, { metadata: { uid }, status: step.status }, { subresource: 'status' });
    if (step.do === 'release')
      await kube.patch(CLAIM, key, { metadata: { uid, resourceVersion, finalizers: step.finalizers } });
  }

  async function reconcileVolume(key: Key): Promise<void> {
    const volume = volumes.get(key);
    if (volume === undefined || volume.metadata.deletionTimestamp !== undefined) return;
    const claim = claims.get(key);
    if (claim === undefined)
      await kube.apply(CLAIM, claimOf(volume), { fieldManager: 'nfspvc-stand-in', force: true });
    const phase = claim?.status?.phase ?? 'Pending';
    if (volume.status?.pvcPhase === phase && volume.status.pvPhase === phase) return;
    const status = { pvcPhase: phase, pvPhase: phase };
    await kube.patch(
      NFS_PVC,
      key,
      { metadata: { uid: volume.metadata.uid }, status },
      { subresource: 'status' },
    );
  }

  return {
    synced: claims.synced,
    stop: async () => {
      await Promise.all([claimQueue.stop(), volumeQueue.stop()]);
      await Promise.all([claims.stop(), volumes.stop()]);
    },
  };
}
