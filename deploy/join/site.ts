// What `cappstan join` writes to a site, and whose it is.
import { CAPP } from '../../crds/capp/capp.ts';
import {
  CONFIG_MAP,
  CUSTOM_RESOURCE_DEFINITION,
  NAMESPACE,
  type ConfigMap,
} from '../../crds/kubernetes/core.ts';
import { HUB } from '../../crds/labels.ts';
import { APPLIED_MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import { hubHashOf } from '../../crds/ocm/work-identity.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { ApiError, isNotFound } from '../../kube/failure.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { applyObjects } from '../local/kubernetes/apply.ts';
import { ocmDefinitions } from '../local/ocm/crds.ts';
import { prepareOcmSite, OCM_AGENT_ACCOUNT } from '../local/ocm/site.ts';
import { hubsOf } from './leave/others.ts';
import { JoinRefused } from './refused.ts';

const CALL_MS = 30_000;
/** Where the add-on is. */
export const ADD_ON_PLACE = 'open-cluster-management-agent-addon';
/** Says as what the site has joined; it goes last when the site leaves. */
export const NOTE = { namespace: OCM_AGENT_ACCOUNT.namespace, name: 'cappstan-join' } as const;

/** Kubernetes' own label for who makes an object, and its value on the namespace. */
const MADE_BY = 'app.kubernetes.io/managed-by';
const MADE_BY_JOIN = 'cappstan-join';

export interface Membership {
  readonly cluster: string;
  /** `https://host:port` of the hub's API server. */
  readonly hub: string;
  /** Of the hub's authority. */
  readonly fingerprint: string;
  /** OCM's CRDs that were not there before: they go when the site leaves. */
  readonly definitions: readonly string[];
  /** Under which the hub's objects are labelled; null until the site begins to leave. */
  readonly hubId: string | null;
}

type Wanted = Pick<Membership, 'cluster' | 'hub' | 'fingerprint'>;

/** Throws JoinRefused when there is no usable kubeconfig. Speaks to nobody yet. */
export function openSite(kubeconfig: string): Kube {
  try {
    return connect({ kubeconfig, userAgent: 'cappstan-join', deadlineMs: CALL_MS });
  } catch (error) {
    // Its first line: behind it a parser quotes what may be a token.
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new JoinRefused([
      `--kubeconfig: ${kubeconfig} cannot be used (${why}). Give the kubeconfig of the site.`,
    ]);
  }
}

/** Throws JoinRefused when the site does not answer, or does not know who asks. */
export async function refuseUnreachable(site: Kube, kubeconfig: string): Promise<void> {
  try {
    await site.raw('GET', '/version');
  } catch (error) {
    if (!(error instanceof ApiError) || ![0, 401].includes(error.code)) throw error;
    const why = (error.cause as Partial<Error> | undefined)?.message ?? error.reason;
    throw new JoinRefused([
      error.code === 0
        ? `--kubeconfig: the site of ${kubeconfig} does not answer (${why}). Look whether its API server runs, and whether this machine reaches it.`
        : `--kubeconfig: the site does not know who ${kubeconfig} is of (401), as when a token or certificate has ended. Give one that is good.`,
    ]);
  }
}

/** Null: the site has not joined by us. Throws JoinRefused for an agent of somebody else. */
export async function membershipOf(site: Kube): Promise<Membership | null> {
  const note = await site.get<ConfigMap>(CONFIG_MAP, NOTE);
  const { cluster, hub, fingerprint, definitions = '', hubId = null } = note?.data ?? {};
  if (cluster !== undefined && hub !== undefined && fingerprint !== undefined)
    return {
      cluster,
      hub,
      fingerprint,
      definitions: definitions.split(' ').filter((name) => name !== ''),
      hubId,
    };
  const place = await site.get<KubeObject>(NAMESPACE, { namespace: null, name: NOTE.namespace });
  // Between the namespace and the note in it a join may have been killed.
  if (place !== null && place.metadata.labels?.[MADE_BY] !== MADE_BY_JOIN)
    throw new JoinRefused([
      `The site has a namespace ${NOTE.namespace}, and cappstan join has not made it: it has an agent of OCM already. Let it leave its hub first (clusteradm unjoin).`,
    ]);
  return null;
}

/** Throws JoinRefused. A rerun for the same hub and cluster is no other. */
export function refuseOther(known: Membership | null, wanted: Wanted): void {
  if (known === null || (known.cluster === wanted.cluster && known.fingerprint === wanted.fingerprint))
    return;
  throw new JoinRefused([
    `The site has joined ${known.hub} as ${known.cluster}. Let it leave first: cappstan leave.`,
  ]);
}

/** Throws JoinRefused unless the caller may do everything there: OCM's agent gets as much. */
export async function refuseWithoutRights(site: Kube): Promise<void> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { group: '*', resource: '*', verb: '*' } },
  };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const { status } = (await site.raw('POST', path, { body })) as { status?: { allowed?: boolean } };
  if (status?.allowed !== true)
    throw new JoinRefused([
      'Your kubeconfig does not give you all rights on the site. OCM’s agent gets as much, so whoever lets it in must have it: take an administrator’s.',
    ]);
}

/** The namespace says whose it is, and the note in it all else, before anything follows. Safe to repeat. */
export async function writeSite(site: Kube, { cluster, hub, fingerprint }: Wanted): Promise<void> {
  const definitions = (await membershipOf(site))?.definitions ?? (await missingDefinitions(site));
  const { apiVersion, kind } = CONFIG_MAP;
  const labels = { [MADE_BY]: MADE_BY_JOIN };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NOTE.namespace, labels } };
  const data = { cluster, hub, fingerprint, definitions: definitions.join(' ') };
  const note: ConfigMap = { apiVersion, kind, metadata: { ...NOTE }, data };
  await applyObjects(site, [namespace, note]);
  await prepareOcmSite(site);
}

/** The names of OCM's CRDs that the site does not have. */
async function missingDefinitions(site: Kube): Promise<readonly string[]> {
  const there = new Set(
    (await site.list(CUSTOM_RESOURCE_DEFINITION)).items.map(({ metadata }) => metadata.name),
  );
  const needed = (await ocmDefinitions('site')).map(({ metadata }) => metadata.name);
  return needed.filter((name) => !there.has(name));
}

/** Of OCM's agent: what it has applied of one ManifestWork. */
export interface WorkOnSite extends KubeObject {
  readonly spec: { readonly manifestWorkName: string };
  readonly status?: {
    readonly appliedResources?: readonly {
      readonly group?: string;
      readonly version: string;
      readonly resource: string;
      readonly namespace?: string;
      readonly name: string;
    }[];
  };
}

/** What the hub of this membership has on the site. */
export async function broughtBy(
  site: Kube,
  { hub, hubId }: Membership,
): Promise<{ readonly capps: readonly KubeObject[]; readonly works: readonly WorkOnSite[] }> {
  const { own, first, others } = await hubsOf(site, hubId);
  const isAlone = others.length === 0;
  const isOurs = ({ metadata: { labels = {} } }: KubeObject): boolean =>
    isAlone || (own !== null && (labels[HUB] ?? first) === own);
  const prefix = `${hubHashOf(hub)}-`;
  const isOfHub = ({ metadata: { name } }: KubeObject): boolean => isAlone || name.startsWith(prefix);
  const capps = await listed<KubeObject>(site, CAPP);
  const works = await listed<WorkOnSite>(site, APPLIED_MANIFEST_WORK);
  return { capps: capps.filter(isOurs), works: works.filter(isOfHub) };
}

/** Throws JoinRefused while the hub still has something there. */
export async function refuseInUse(site: Kube, known: Membership): Promise<void> {
  const { cluster, hub } = known;
  const brought = await broughtBy(site, known);
  const [capps, works] = [brought.capps.length, brought.works.length];
  if (capps === 0 && works === 0) return;
  throw new JoinRefused([
    `The hub has ${capps} ${capps === 1 ? 'Capp' : 'Capps'} and ${works} ${works === 1 ? 'work' : 'works'} on this site. While the agent runs, take them away on the hub (${hub}): kubectl capp drain ${cluster}, then kubectl delete managedcluster ${cluster}. Then leave. If the hub is gone for ever: --hub-is-gone.`,
  ]);
}

/** Nothing where the kind is not served. */
async function listed<T extends KubeObject>(site: Kube, resource: Resource): Promise<readonly T[]> {
  try {
    return (await site.list<T>(resource)).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
