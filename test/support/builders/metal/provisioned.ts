// What the hub worker writes on the way from hosts to a site, and what resembles it: Secrets, ManagedClusters
// and Drains.
import { ownedMeta } from '../../../../activities/hub/metal/services/instances.ts';
import { userDataSecret } from '../../../../activities/hub/metal/chain/user-data.ts';
import { tokenSecret } from '../../../../crds/join/bootstrap-token.ts';
import type { Secret } from '../../../../crds/kubernetes/core.ts';
import { SITE_LABELS, SITE_OF, SITE_OF_NAME } from '../../../../crds/metal/labels.ts';
import type { KubeObject } from '../../../../kube/resource.ts';

export const METAL = 'metal';
/** Where there are services alone. */
export const EDGE = 'edge';
export const UID = 'b0b6a3a2-0000-4000-8000-000000000001';

export function secret(namespace: string, name: string, more: Partial<Secret> = {}): Secret {
  const { metadata, ...rest } = more;
  return { type: 'Opaque', ...rest, metadata: { namespace, name, ...metadata } };
}
export const token = tokenSecret({ id: 'abcdef', secret: 'a'.repeat(16) }, 2_000_000_000_000, {
  cluster: 'edge-7',
  uid: UID,
});
export const but = (
  one: Secret,
  { metadata = {}, ...more }: { metadata?: object; [field: string]: unknown },
) => ({ ...one, ...more, metadata: { ...one.metadata, ...metadata } }) as Secret;
const host = { metadata: { namespace: METAL, name: 'host-1', uid: UID } };
export const userData = userDataSecret(host, { uid: UID, token: 'abcdef', text: 'x' });
export function service(name: string, namespace = METAL): Secret {
  const owner = { metadata: { namespace, name: 'edge-7', uid: UID } };
  return { metadata: ownedMeta(owner, { name, kind: 'jumpHost' } as never), type: 'Opaque' };
}
export function site(
  annotations: object,
  more: { labels?: object; spec?: object; name?: string } = {},
): KubeObject {
  const { labels = {}, spec = { hubAcceptsClient: false }, name = 'edge-7' } = more;
  return { metadata: { name, labels, annotations }, spec } as KubeObject;
}
export const OURS = { [SITE_OF]: UID, [SITE_OF_NAME]: 'metal/edge-7', [SITE_LABELS]: 'tier' };
export const drain = (annotations: object): KubeObject =>
  ({ metadata: { name: 'edge-7', annotations }, spec: {} }) as KubeObject;
