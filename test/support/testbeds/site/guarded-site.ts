// A site with the add-on's admission policies in force, and three clients: OCM's work agent, the site
// operator, and an administrator.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CERTIFICATE } from '../../../../crds/kubernetes/certificate.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { DOMAIN_MAPPING, KNATIVE_SERVICE, NFS_PVC } from '../../../../crds/kubernetes/knative.ts';
import { KAFKA_SOURCE, PING_SOURCE } from '../../../../crds/kubernetes/eventing.ts';
import { SYSLOG_NG_FLOW, SYSLOG_NG_OUTPUT } from '../../../../crds/kubernetes/logging.ts';
import { pathOf, type Resource } from '../../../../kube/resource.ts';
import { forHub, forSite, installAll, startCluster, type Cluster } from '../../servers/chart/chart.ts';
import { serveBare } from '../../servers/api/definitions.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { isByPolicy, type Reply, type RawClient } from '../../servers/api/identities.ts';

export const ADDON = 'open-cluster-management-agent-addon';
export const NS = 'team-a';
export const ROLE: Resource = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
};
/** The owner reference of objects that a Capp's work created. */
export const OWNER = {
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'AppliedManifestWork',
  name: `${'a'.repeat(64)}-mw-create-${NS}-app`,
  uid: 'u1',
};
export const SHIPPED = { 'rcs.dana.io/managed-by': 'rcs' };
export const CAPP_SPEC = {
  spec: { configurationSpec: { template: { spec: { containers: [{ name: 'app', image: 'i:1' }] } } } },
};

/** Of the chart on the hub that the site belongs to. */
export const VALUES = { hubId: 'hub-a', 'reservedNamespaces[0]': 'platform-*' };

/** What the site operator makes. */
export const MADE: readonly Resource[] = [
  KNATIVE_SERVICE,
  DOMAIN_MAPPING,
  NFS_PVC,
  CERTIFICATE,
  SYSLOG_NG_FLOW,
  SYSLOG_NG_OUTPUT,
  PING_SOURCE,
  KAFKA_SOURCE,
];

export interface GuardedSite {
  readonly cluster: Cluster;
  readonly agent: RawClient;
  readonly operator: RawClient;
  readonly person: RawClient;
}

/** `values` come beside `VALUES`. */
export async function startGuardedSite(values: Readonly<Record<string, string>> = {}): Promise<GuardedSite> {
  const cluster = await startCluster('site');
  for (const kind of MADE) await serveBare(cluster.kube, kind);
  await installAll(cluster.kube, forSite(await forHub({ ...VALUES, ...values })));
  await cluster.kube.create(NAMESPACE, { metadata: { name: NS } });
  const site = {
    cluster,
    agent: await cluster.as('system:serviceaccount:open-cluster-management-agent:klusterlet-work-sa', [
      'system:masters',
    ]),
    operator: await cluster.as(`system:serviceaccount:${ADDON}:cappstan-site`),
    person: await cluster.as('admin', ['system:masters']),
  };
  await policiesAreInForce(site);
  return site;
}

/** Waits, because a policy takes effect some time after its creation. */
async function policiesAreInForce({ agent, operator, person }: GuardedSite): Promise<void> {
  let count = 0;
  const refused = (probe: (name: string) => Promise<Reply>): Promise<unknown> =>
    eventually(async () => (isByPolicy(await probe(`probe-${(count += 1)}`)) ? true : undefined));
  await refused(async (name) => {
    await put(person, SECRET, { name });
    return takeOver(agent, SECRET, name);
  });
  await refused((name) => make(operator, KNATIVE_SERVICE, { name }));
  await refused((name) => make(person, CONFIG_MAP, { name, labels: { 'rcs.dana.io/hub': 'hub-probe' } }));
  const remove = (name: string): Promise<Reply> =>
    operator('DELETE', pathOf(NAMESPACE, { namespace: null, name }));
  await refused(async (name) => {
    await put(person, NAMESPACE, { name });
    return remove(name);
  });
  await refused(async (name) => {
    await put(person, NAMESPACE, { name, labels: SHIPPED });
    await put(person, CAPP, { name, namespace: name }, CAPP_SPEC);
    return remove(name);
  });
}

export interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly object[];
}

export function make(as: RawClient, resource: Resource, metadata: Meta, rest: object = {}): Promise<Reply> {
  const namespace = resource.namespaced ? (metadata.namespace ?? NS) : null;
  const { apiVersion, kind } = resource;
  const object = {
    apiVersion,
    kind,
    metadata: { ...metadata, ...(namespace === null ? {} : { namespace }) },
    ...rest,
  };
  return as('POST', pathOf(resource, { namespace, name: null }), object);
}

/** The same, for what must succeed. */
export async function put(
  as: RawClient,
  resource: Resource,
  metadata: Meta,
  rest: object = {},
): Promise<void> {
  const { code, message } = await make(as, resource, metadata, rest);
  if (code !== 201) throw new Error(`${resource.kind} ${metadata.name}: ${code} ${message}`);
}

export const at = (resource: Resource, name: string): string => pathOf(resource, { namespace: NS, name });

/** As a work that brings an object of that name writes it over what is there. */
export function takeOver(
  agent: RawClient,
  resource: Resource,
  name: string,
  owners: readonly object[] = [OWNER],
): Promise<Reply> {
  return agent('PATCH', at(resource, name), { metadata: { labels: SHIPPED, ownerReferences: owners } });
}
