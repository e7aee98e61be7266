// The hub worker as a real API server knows it that has the chart's rights and policies for the chain from
// hosts to a site, and OCM's own kinds.
import { DRAIN } from '../../../../crds/drain/drain.ts';
import { NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { RELEASE_NAMESPACE } from '../../../../deploy/local/cappstan/chart.ts';
import { pathOf, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { drain, EDGE, METAL, secret, site } from '../../builders/metal/provisioned.ts';
import { forHub, installAll, startCluster, type Cluster } from '../../servers/chart/chart.ts';
import { isByPolicy, type RawClient, type Reply } from '../../servers/api/identities.ts';

/** Besides the default one. */
export const ALLOWED_SET = 'edge-sites';
const VALUES = {
  'addon.install': 'false',
  'addon.sealing.install': 'true',
  'metal.hosts': 'true',
  'joins.byToken': 'true',
  'metal.provisionNamespaces[0]': METAL,
  'metal.provisionClusterSets[0]': ALLOWED_SET,
  'metal.serviceNamespaces[0]': METAL,
  'metal.serviceNamespaces[1]': EDGE,
};

async function emptied(hub: Cluster): Promise<void> {
  for (const resource of [MANAGED_CLUSTER, DRAIN])
    for (const { metadata } of (await hub.kube.list(resource)).items)
      await hub.kube.remove(resource, { namespace: null, name: metadata.name });
  for (const namespace of [METAL, EDGE, 'kube-system'])
    for (const { metadata } of (await hub.kube.list(SECRET, { namespace })).items)
      await hub.kube.remove(SECRET, { namespace, name: metadata.name });
}

const keyIn = ({ metadata }: KubeObject, name: string | null = metadata.name) => ({
  namespace: metadata.namespace ?? null,
  name,
});

/** The answer, as far as it says which policy has refused. */
export function refusedBy(policy: string): object {
  return { code: 403, message: expect.stringContaining(`ValidatingAdmissionPolicy '${policy}'`) };
}

/**
 * Starts it for the tests of a file, and gives the hub away; each test begins empty. Call it once, at the
 * top.
 */
export function provisioningWorker(use: (hub: Cluster) => void) {
  let hub: Cluster;
  let worker: RawClient;
  function create(resource: Resource, object: KubeObject): Promise<Reply> {
    const { apiVersion, kind } = resource;
    return worker('POST', pathOf(resource, keyIn(object, null)), { ...object, apiVersion, kind });
  }
  const change = (resource: Resource, object: KubeObject, patch: object): Promise<Reply> =>
    worker('PATCH', pathOf(resource, keyIn(object)), patch);
  const remove = (resource: Resource, object: KubeObject): Promise<Reply> =>
    worker('DELETE', pathOf(resource, keyIn(object)));
  const asAdmin = (resource: Resource, object: KubeObject) =>
    hub.kube.create(resource, {
      ...object,
      apiVersion: resource.apiVersion,
      kind: resource.kind,
    } as never);

  beforeAll(async () => {
    hub = await startCluster('hub');
    use(hub);
    for (const name of [METAL, EDGE]) await hub.kube.create(NAMESPACE, { metadata: { name } });
    // Without the webhook: what it would refuse as well, the policies refuse alone.
    const objects = (await forHub(VALUES)).filter(({ kind = '' }) => !kind.endsWith('WebhookConfiguration'));
    await installAll(hub.kube, objects);
    worker = await hub.as(`system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-hub`);
    const probes: readonly [Resource, KubeObject][] = [
      [SECRET, secret(METAL, 'probe')],
      [MANAGED_CLUSTER, site({})],
      [DRAIN, drain({})],
    ];
    for (const [resource, object] of probes)
      await eventually(async () => (isByPolicy(await create(resource, object)) ? true : undefined));
  }, 300_000);
  afterAll(() => hub?.stop());
  afterEach(() => emptied(hub));
  return { create, change, remove, asAdmin };
}
