// Reads what the doctor looks at. Whatever the person may not read is left out, and named.
import { BUNDLE } from '../../crds/bundle/bundle.ts';
import { CAPP } from '../../crds/capp/capp.ts';
import {
  ADMISSION_POLICY,
  ADMISSION_POLICY_BINDING,
  MUTATING_WEBHOOKS,
  VALIDATING_WEBHOOKS,
} from '../../crds/kubernetes/admission.ts';
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, DEPLOYMENT } from '../../crds/kubernetes/core.ts';
import { ADD_ON } from '../../crds/ocm/add-on.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON } from '../../crds/ocm/ocm.ts';
import { ADD_ON_PLACEMENT_SCORE, PLACEMENT, PLACEMENT_DECISION } from '../../crds/ocm/placements.ts';
import { HUB_STATUS } from '../../crds/hub/hub-status.ts';
import { RCS_CONFIG } from '../../crds/hub/rcs-config.ts';
import { CAPP_SET } from '../../crds/set/cappset.ts';
import { serves } from '../../kube/discovery.ts';
import { ApiError } from '../../kube/failure.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import type { ConnectedHub } from '../hub/connection/hub.ts';
import { readHubStatus } from '../hub/objects/status.ts';
import { actsRefused } from './acts.ts';
import type { DoctorFacts, Read } from './facts.ts';
import { API_SERVICE, CLUSTER_ADD_ON, nameOf, NEEDED, OF_READER } from './kinds.ts';
import { FORMER_ADD_ONS } from './predecessor.ts';
import { probeWebhook } from './probe.ts';

/** What the chart installs. */
const OURS = { labelSelector: 'app.kubernetes.io/part-of=cappstan' };

export interface Gathered {
  readonly facts: DoctorFacts;
  /** What could not be looked at, in words. */
  readonly unread: readonly string[];
}

/** Writes nothing: the one request that would is a dry run. Throws ApiError when the hub does not answer. */
export async function gather(hub: ConnectedHub): Promise<Gathered> {
  const unread: string[] = [];
  const all = async <T extends KubeObject>(resource: Resource, selection = {}): Promise<Read<T>> => {
    try {
      return (await hub.kube.list<T>(resource, selection)).items;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return [];
      if (!(error instanceof ApiError) || error.code !== 403) throw error;
      unread.push(resource.plural);
      return null;
    }
  };
  const former = async (resource: Resource): Promise<Read<KubeObject>> => {
    const each = FORMER_ADD_ONS.map((name) => all(resource, { fieldSelector: `metadata.name=${name}` }));
    const read = await Promise.all(each);
    return read.includes(null) ? null : read.flatMap((one) => one ?? []);
  };
  const served = Object.fromEntries(
    await Promise.all(NEEDED.map(async (kind) => [nameOf(kind), await serves(hub.kube, kind)] as const)),
  );
  const deployments: DoctorFacts['deployments'] = await all(DEPLOYMENT, OURS);
  const validating: DoctorFacts['validating'] = await all(VALIDATING_WEBHOOKS);
  const probe = await probeWebhook(hub);
  if (probe === null) unread.push(`the webhook, which takes the right to create Capps in ${hub.namespace}`);
  const refusedActs = await actsRefused(hub, deployments?.[0]?.metadata.namespace ?? null);
  if (refusedActs === null) unread.push('rights of processes');
  const hubStatus = await readHubStatus(hub);
  if (hubStatus === null) unread.push(HUB_STATUS.plural);
  const facts: DoctorFacts = {
    hubStatus,
    served,
    deployments,
    validating,
    probe,
    refusedActs,
    capps: await all(CAPP),
    sets: await all(CAPP_SET),
    bundles: await all(BUNDLE),
    configs: await all(RCS_CONFIG),
    clusters: await all(MANAGED_CLUSTER),
    addOns: await all(MANAGED_CLUSTER_ADD_ON, { fieldSelector: `metadata.name=${ADD_ON}` }),
    scores: await all(ADD_ON_PLACEMENT_SCORE),
    placements: await all(PLACEMENT),
    decisions: await all(PLACEMENT_DECISION),
    mutating: await all(MUTATING_WEBHOOKS),
    apiServices: await all(API_SERVICE, { fieldSelector: `metadata.name=${OF_READER}` }),
    policies: await all(ADMISSION_POLICY),
    policyBindings: await all(ADMISSION_POLICY_BINDING),
    clusterAddOns: await all(CLUSTER_ADD_ON, { fieldSelector: `metadata.name=${ADD_ON}` }),
    clusterRoles: await all(CLUSTER_ROLE),
    clusterRoleBindings: await all(CLUSTER_ROLE_BINDING),
    formerAddOns: await former(MANAGED_CLUSTER_ADD_ON),
    formerClusterAddOns: await former(CLUSTER_ADD_ON),
  };
  return { facts, unread: [...new Set(unread)] };
}
