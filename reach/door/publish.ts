// Writes the authority that the hub's API server trusts into the reader's APIService, and nothing else.
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { REACH_SERVICE } from '../names.ts';

export const API_SERVICE: Resource = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
};

/** Takes PEM. Writes nothing where it is already there, and creates no APIService. */
export async function publishAuthority(kube: Kube, authorities: string): Promise<void> {
  const caBundle = Buffer.from(authorities).toString('base64');
  const key = { namespace: null, name: REACH_SERVICE };
  const found = await kube.get<KubeObject & { readonly spec: { readonly caBundle?: string } }>(
    API_SERVICE,
    key,
  );
  if (found === null || found.spec.caBundle === caBundle) return;
  const { uid } = found.metadata;
  await kube.patch(
    API_SERVICE,
    key,
    { metadata: { uid }, spec: { caBundle } },
    { fieldManager: 'cappstan-reader' },
  );
}
