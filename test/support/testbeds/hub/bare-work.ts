// A copy of a Capp as far as a publication looks: a work of its exact name on a cluster, with nothing in it.
import { MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isAlreadyExists } from '../../../../kube/failure.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { labelsFor } from '../../builders/works.ts';

/** A repeat changes nothing. */
export async function bareWork(kube: Kube, { namespace, name }: CappRef, cluster: string): Promise<void> {
  const { apiVersion, kind } = MANIFEST_WORK;
  const metadata = {
    ...labelsFor(namespace, name),
    namespace: cluster,
    name: `mw-create-${namespace}-${name}`,
  };
  const work = { apiVersion, kind, metadata, spec: { workload: { manifests: [] } } };
  await kube.create(MANIFEST_WORK, work as never).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
