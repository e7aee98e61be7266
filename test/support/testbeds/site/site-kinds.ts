// What the API server of a site serves beside our kinds, as the tests of the site operator need it.
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import { CAPP_CONFIG_DEFINITION } from '../../../../crds/definitions/of-sites.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import {
  DOMAIN_MAPPING,
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  NFS_PVC,
} from '../../../../crds/kubernetes/knative.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { serve, serveBare } from '../../servers/api/definitions.ts';

/** Where container-app-operator reads it since v0.4. */
export const CONFIG_KEY = { namespace: 'container-app-operator-system', name: 'capp-config' };

/** The kinds without which no Capp is deployed, and these ones. */
export async function serveKnative(kube: Kube, ...more: readonly Resource[]): Promise<void> {
  for (const kind of [KNATIVE_SERVICE, KNATIVE_REVISION, NFS_PVC, DOMAIN_MAPPING, ...more])
    await serveBare(kube, kind);
}

/** The kind of a site's CappConfig, and a namespace for one. */
export async function serveCappConfig(kube: Kube): Promise<void> {
  await serve(kube, CAPP_CONFIG_DEFINITION, CAPP_CONFIG);
  await kube.create(NAMESPACE, { metadata: { name: CONFIG_KEY.namespace } });
}

export function writeCappConfig(kube: Kube, spec: object): Promise<KubeObject> {
  const { apiVersion, kind } = CAPP_CONFIG;
  const object = { apiVersion, kind, metadata: CONFIG_KEY, spec };
  return kube.apply(CAPP_CONFIG, object, { fieldManager: 'test', force: true });
}
