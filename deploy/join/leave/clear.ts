// What `cappstan leave` takes away from a site: all that the hub and `cappstan join` have brought. Nobody
// else's object goes.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CLUSTER_ROLE,
  CLUSTER_ROLE_BINDING,
  CONFIG_MAP,
  CUSTOM_RESOURCE_DEFINITION,
  NAMESPACE,
} from '../../../crds/kubernetes/core.ts';
import { HUB, MANAGED_BY, MANAGED_BY_AGENT } from '../../../crds/labels.ts';
import { ADD_ON } from '../../../crds/ocm/add-on.ts';
import { CLUSTER_CLAIM } from '../../../crds/ocm/cluster-claim.ts';
import { DELETION_ORPHAN } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { serves } from '../../../kube/discovery.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { ourManifests, resourceOf } from '../../local/kubernetes/apply.ts';
import { clearBeside, hubsOf, POLICIES } from './others.ts';
import { removed } from './removed.ts';
import { ADD_ON_PLACE, NOTE, type Membership } from '../site.ts';

const GONE_WITHIN_MS = 60_000;

/** What else the add-on leaves outside its namespace, so that Capps of a site go on running. */
const RIGHTS: readonly Resource[] = [CLUSTER_ROLE_BINDING, CLUSTER_ROLE];

export interface Cleared {
  /** CRDs that stay because somebody's objects are in them. */
  readonly definitions: readonly string[];
  /**
   * The record of the site's hubs names others and not this one, so nobody knows what the add-on of this hub
   * has brought: that stays.
   */
  readonly isUnknown: boolean;
}

/**
 * Where the site has other hubs, only what is this hub's goes, and what is there once stays for them. Waits
 * until all else is gone, and throws an Error that names what still is there after a minute. Safe to repeat:
 * the note goes last.
 */
export async function clearSite(site: Kube, { definitions, hubId }: Membership): Promise<Cleared> {
  const { own: id, others } = await hubsOf(site, hubId);
  const isShared = others.length > 0;
  if (hubId === null) await rememberHub(site, id);
  const [place, ...rest] = (await ourManifests('site')) as [KubeObject, ...KubeObject[]];
  const brought = async (resource: Resource): Promise<readonly KubeObject[]> =>
    (await site.list(resource)).items.filter((object) => isOfAddOn(object, id));
  const clear = async (resources: readonly Resource[]): Promise<void> => {
    for (const resource of resources)
      for (const object of await brought(resource)) await removed(site, resource, object);
  };
  if (!isShared) await clear(POLICIES);
  else if (id !== null) await clearBeside(site, id, others);
  // Then the agent and the site operator: what is there no more writes nothing.
  const going = rest.filter(({ metadata }) => !isShared || metadata.name !== ADD_ON_PLACE);
  for (const object of going.toReversed()) await removedManifest(site, object);
  if (isShared) {
    await leftPlace(site, place);
    return { definitions: [], isUnknown: id === null };
  }
  await untilGone(site, ADD_ON_PLACE);
  await clear(RIGHTS);
  await removeClaims(site);
  const ours = (await brought(CUSTOM_RESOURCE_DEFINITION)).map(({ metadata }) => metadata.name);
  const names = [...ours, ...definitions];
  const kept = await withoutDefinitions(site, names);
  await leftPlace(site, place);
  return { definitions: kept, isUnknown: false };
}

/** The namespace of OCM's agent, with the note. */
async function leftPlace(site: Kube, place: KubeObject): Promise<void> {
  await removedManifest(site, place);
  await untilGone(site, place.metadata.name);
}

/** Admission policies have no label of the hub, since they decide by that label. */
function isOfAddOn({ metadata }: KubeObject, hub: string | null): boolean {
  const { name, labels = {}, annotations = {} } = metadata;
  const isNamed = name.startsWith(`${ADD_ON}-`) && annotations[DELETION_ORPHAN] !== undefined;
  return isNamed || (hub !== null && labels[HUB] === hub);
}

/** What follows needs it, and so does a repeat, when the record of the site's hubs has it no more. */
async function rememberHub(site: Kube, id: string | null): Promise<void> {
  if (id !== null) await site.patch(CONFIG_MAP, NOTE, { data: { hubId: id } });
}

/** Those of our agent. */
async function removeClaims(site: Kube): Promise<void> {
  if (!(await serves(site, CLUSTER_CLAIM))) return;
  const labelSelector = `${MANAGED_BY}=${MANAGED_BY_AGENT}`;
  for (const claim of (await site.list(CLUSTER_CLAIM, { labelSelector })).items)
    await removed(site, CLUSTER_CLAIM, claim);
}

interface Definition extends KubeObject {
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly kind?: string; readonly plural?: string };
    readonly scope?: string;
    readonly versions?: readonly { readonly name: string; readonly storage?: boolean }[];
  };
}

/** The names of those that stay. */
async function withoutDefinitions(site: Kube, names: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  for (const name of names) {
    const found = await site.get<Definition>(CUSTOM_RESOURCE_DEFINITION, { namespace: null, name });
    if (found === null) continue;
    if ((await site.list(resourceIn(found))).items.length > 0) kept.push(name);
    else await removed(site, CUSTOM_RESOURCE_DEFINITION, found);
  }
  return kept;
}

function resourceIn({ spec }: Definition): Resource {
  const version = spec?.versions?.find(({ storage }) => storage === true)?.name ?? '';
  return {
    apiVersion: `${spec?.group ?? ''}/${version}`,
    kind: spec?.names?.kind ?? '',
    plural: spec?.names?.plural ?? '',
    namespaced: spec?.scope === 'Namespaced',
  };
}

async function removedManifest(site: Kube, object: KubeObject): Promise<void> {
  const { apiVersion = '', kind = '' } = object;
  await removed(site, await resourceOf(site, { apiVersion, kind }), object);
}

async function untilGone(site: Kube, name: string): Promise<void> {
  const deadline = Date.now() + GONE_WITHIN_MS;
  while ((await site.get(NAMESPACE, { namespace: null, name })) !== null) {
    if (Date.now() > deadline)
      throw new Error(
        `The site’s namespace ${name} is still being deleted. kubectl get namespace ${name} -o yaml says what it waits for. Run cappstan leave again then.`,
      );
    await sleep(200);
  }
}
