// Who takes over an object that two Bundles have carried: a field manager stays on it for ever unless it lets
// go, or somebody takes its fields.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import {
  bundleOfWork,
  bundleWorkName,
  isNameWithKey,
  isWorkOfBundle,
} from '../../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { HubCaches } from '../../caches.ts';
import { askEach } from '../../rollout/writes.ts';
import type { Terms } from '../manifests/render.ts';
import type { BundleWork } from '../status/seen.ts';
import type { BundleName } from '../works.ts';
import { heldIn, type HeldObjects } from './held.ts';
import { fieldManagerOf, namedBy } from './manager.ts';

/** By cluster: the hashes of objects that are to be applied by force. */
export type Freed = ReadonlyMap<string, ReadonlySet<string>>;

export const NONE_FREED: ReadonlySet<string> = new Set();

interface Ground {
  readonly kube: Kube;
  readonly caches: Pick<HubCaches, 'bundleWorks'>;
  readonly terms: Terms;
}

/**
 * Objects whose fields are held by Bundles alone that do not carry them any more, and those that have been
 * taken over and are not applied yet. A cache says which Bundles still carry theirs; what it says of the
 * others is read live. Throws ApiError.
 */
export async function freedFor(ground: Ground, works: readonly BundleWork[]): Promise<Freed> {
  const asked = works.filter(({ seen: { held } }) => (held.contested ?? held.forced) !== undefined);
  const freed = await askEach(asked, async ({ metadata: { namespace: cluster = '' }, seen }) => {
    const { kube } = ground;
    const contest = { ...ground, cluster, read: readOnce(kube, cluster), names: namesOnce(kube, cluster) };
    const hashes = await freedOn(contest, seen.held);
    return [cluster, hashes] as const;
  });
  return new Map(freed.filter(([, hashes]) => hashes.size > 0));
}

type Reads = (name: string) => Promise<ManifestWork | null>;

/** A work on a cluster, live, whatever the number of objects that it is asked about. */
function readOnce(kube: Kube, cluster: string): Reads {
  const reads = new Map<string, Promise<ManifestWork | null>>();
  return (name) => {
    const begun = reads.get(name) ?? kube.get<ManifestWork>(MANIFEST_WORK, { namespace: cluster, name });
    reads.set(name, begun);
    return begun;
  };
}

type Names = () => Promise<readonly string[]>;

/** The names of all works on a cluster, live: of a work a site can change the labels, and not the name. */
function namesOnce(kube: Kube, cluster: string): Names {
  const list = async (): Promise<readonly string[]> => {
    const { items } = await kube.list(MANIFEST_WORK, { namespace: cluster, metadataOnly: true });
    return items.map(({ metadata: { name } }) => name);
  };
  let begun: Promise<readonly string[]> | null = null;
  return () => (begun ??= list());
}

interface Contest extends Ground {
  readonly cluster: string;
  readonly read: Reads;
  readonly names: Names;
}

async function freedOn(contest: Contest, { contested = {}, forced = {} }: HeldObjects): Promise<Set<string>> {
  const hashes = new Set(Object.keys(forced).filter((hash) => forced[hash] === false));
  for (const [hash, managers] of Object.entries(contested))
    if (await areGone(contest, hash, managers)) hashes.add(hash);
  return hashes;
}

async function areGone(contest: Contest, hash: string, managers: readonly string[]): Promise<boolean> {
  for (const manager of managers) if (!(await isGone(contest, hash, manager))) return false;
  return true;
}

/** A manager that names nobody is not ours. */
async function isGone(contest: Contest, hash: string, manager: string): Promise<boolean> {
  const named = namedBy(manager);
  if (named === null) return false;
  if ('name' in named) return isGoneOf(contest, hash, named);
  const owner = ownerWithKey(contest, manager);
  return owner === undefined ? isGoneWithKey(contest, hash, named.key) : isGoneOf(contest, hash, owner);
}

/** On a site with two hubs a Bundle that does not exist here may be one of the other hub. */
async function isGoneOf(
  { kube, caches, terms, cluster, read }: Contest,
  hash: string,
  owner: BundleName,
): Promise<boolean> {
  const known = caches.bundleWorks.get({ namespace: cluster, name: bundleWorkName(owner) });
  if (known?.seen.held.objects.includes(hash) === true) return false;
  const work = await read(bundleWorkName(owner));
  if (work !== null && isWorkOfBundle(work, owner)) return !heldIn(work).objects.includes(hash);
  return terms.executorHub === undefined || (await kube.getMetadata(BUNDLE, owner)) !== null;
}

/** The Bundle with a work on the cluster whose field manager has a hash for a name. */
function ownerWithKey({ caches, cluster }: Contest, manager: string): BundleName | undefined {
  return caches.bundleWorks
    .by('cluster', cluster)
    .flatMap((work) => bundleOfWork(work) ?? [])
    .find((owner) => fieldManagerOf(owner) === manager);
}

/**
 * Nobody knows which Bundle that was. It has no work on the cluster that a cache knows, so only one is looked
 * for that is too new for the cache, or has lost its label. With two hubs it may be one of the other hub.
 */
async function isGoneWithKey(contest: Contest, hash: string, key: string): Promise<boolean> {
  if (contest.terms.executorHub !== undefined) return false;
  const name = (await contest.names()).find((one) => isNameWithKey(one, key));
  const work = name === undefined ? null : await contest.read(name);
  return work === null || !heldIn(work).objects.includes(hash);
}

/** Whether another Bundle carries an object on a cluster, and has it Ready there. */
export type HasHeir = (cluster: string, hash: string) => boolean;

/**
 * Rests on a cache of every work. What is on a cluster is read once and remembered, so the function serves
 * one turn and no more.
 */
export function heirsOf({ bundleWorks }: Pick<HubCaches, 'bundleWorks'>, ref: BundleName): HasHeir {
  const own = bundleWorkName(ref);
  const known = new Map<string, ReadonlySet<string>>();
  const hashesOn = (cluster: string): ReadonlySet<string> => {
    const others = bundleWorks
      .by('cluster', cluster)
      .filter(
        ({ metadata, seen }) =>
          metadata.name !== own && metadata.deletionTimestamp === undefined && seen.state === 'Ready',
      );
    return new Set(others.flatMap(({ seen }) => seen.held.objects.split(' ')));
  };
  return (cluster, hash) => {
    const hashes = known.get(cluster) ?? hashesOn(cluster);
    known.set(cluster, hashes);
    return hashes.has(hash);
  };
}

/** Who else holds what a Bundle ships. */
export interface Owners {
  readonly freed: Freed;
  readonly hasHeir: HasHeir;
}
