// A tenant's Bundle takes no rights on a site that the site's admins have not given its executor: neither by
// what gives rights, nor by what stands before every request, a webhook or an APIService.
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { VALIDATING_WEBHOOKS } from '../../../crds/kubernetes/admission.ts';
import { CLUSTER_ROLE_BINDING, NAMESPACE, ROLE_BINDING } from '../../../crds/kubernetes/core.ts';
import type { Manifest } from '../../../crds/ocm/ocm.ts';
import { bundleExecutor } from '../../../crds/ocm/executors.ts';
import type { Resource } from '../../../kube/resource.ts';
import { createBundle, untilBundle, untilBundleGone } from '../../../testbed/bundles.ts';
import { newNamespace } from '../../../testbed/capps.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const SITE = 'site-1';
const SITE_NAMESPACE = 'open-cluster-management-agent-addon';
const RBAC = 'rbac.authorization.k8s.io';
const ROLE: Resource = { apiVersion: `${RBAC}/v1`, kind: 'Role', plural: 'roles', namespaced: true };
const API_SERVICE: Resource = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
};

let stack: TestbedStack;
let tenant: string;
beforeAll(async () => {
  stack = await openStack();
  tenant = await newNamespace(stack.hub, 'taker');
  const site = stack.site(SITE);
  await site.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: tenant } });
  // As far as a site's admin may go who trusts the tenant with this Namespace: it may write Roles there.
  await site.create(ROLE_BINDING, binding(ROLE_BINDING, 'trusted', 'admin', executor()) as never);
});
afterAll(async () => {
  await stack?.close();
});

const executor = () => ({
  kind: 'ServiceAccount',
  name: bundleExecutor(tenant),
  namespace: SITE_NAMESPACE,
});
const anybody = () => ({ kind: 'ServiceAccount', name: 'default', namespace: tenant });

function binding(
  { apiVersion, kind, namespaced }: Pick<Resource, 'apiVersion' | 'kind' | 'namespaced'>,
  name: string,
  role: string,
  subject: object,
): Manifest {
  const metadata = namespaced ? { name, namespace: tenant } : { name };
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: role };
  return { apiVersion, kind, metadata, roleRef, subjects: [subject] };
}

const everything = (namespace: string): Manifest => ({
  apiVersion: ROLE.apiVersion,
  kind: ROLE.kind,
  metadata: { name: 'everything', namespace },
  rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
});

/** What takes more than the executor has; each with where it would be on the site. */
const takes = (): (readonly [Resource, Manifest])[] => [
  [ROLE_BINDING, binding(ROLE_BINDING, 'to-admin-of-all', 'cluster-admin', anybody())],
  [ROLE_BINDING, binding(ROLE_BINDING, 'to-more-for-itself', 'cluster-admin', executor())],
  [ROLE, everything(tenant)],
  [ROLE, everything(SITE_NAMESPACE)],
  [CLUSTER_ROLE_BINDING, binding(CLUSTER_ROLE_BINDING, `all-of-${tenant}`, 'cluster-admin', anybody())],
  [
    VALIDATING_WEBHOOKS,
    {
      apiVersion: VALIDATING_WEBHOOKS.apiVersion,
      kind: VALIDATING_WEBHOOKS.kind,
      metadata: { name: `everything-of-${tenant}` },
      webhooks: [],
    },
  ],
  [
    API_SERVICE,
    {
      apiVersion: API_SERVICE.apiVersion,
      kind: API_SERVICE.kind,
      metadata: { name: `v1.${tenant}.example.com` },
      spec: { group: `${tenant}.example.com`, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    },
  ],
];

test('of a Bundle that takes rights, or stands before requests, nothing comes to the site but what its executor has itself', async () => {
  const bundle = { namespace: tenant, name: 'taking' };
  const own = binding(ROLE_BINDING, 'to-view', 'view', anybody());
  const manifests = [own, ...takes().map(([, manifest]) => manifest)];
  await createBundle(stack.hub, bundle, { sites: { clusters: [SITE] }, manifests });
  const refused = await untilBundle(stack.hub, bundle, 'NotAllowed');
  const told = (refused.status?.failing ?? []).map(({ kind, name, reason }) => `${kind} ${name} ${reason}`);
  const taken = takes().map(([, { kind, metadata }]) => `${kind} ${metadata.name} NotAllowed`);
  expect(new Set(told)).toEqual(new Set(taken));
  const site = stack.site(SITE);
  for (const [resource, { metadata }] of takes()) {
    const { name, namespace = null } = metadata;
    expect(await site.get(resource, { name, namespace })).toBeNull();
  }
  expect(await site.get(ROLE_BINDING, { namespace: tenant, name: 'to-view' })).not.toBeNull();
  await stack.hub.remove(BUNDLE, bundle);
  await untilBundleGone(stack.hub, bundle);
});
