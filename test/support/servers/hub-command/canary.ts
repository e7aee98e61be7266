// Objects that hold what a Secret holds, for whoever looks where it can be read.
import type { Key, KubeObject } from '../../../../kube/resource.ts';

/** A ManifestWorkReplicaSet that would bring the value to sites. */
export function replicaSetWith({ namespace, name }: Key, value: string): KubeObject {
  const metadata = { namespace: namespace ?? '', name };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { password: value } };
  return {
    metadata,
    spec: {
      manifestWorkTemplate: { workload: { manifests: [secret] } },
      placementRefs: [{ name: 'none' }],
    },
  } as KubeObject;
}
