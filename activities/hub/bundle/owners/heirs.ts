// Who takes over an object that two Bundles have carried: a field manager stays on it for ever unless it lets
// go, or somebody takes its fields.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import { bundleWorkName, isWorkOfBundle } from '../../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { HubCaches } from '../../caches.ts';
import type { Terms } from '../manifests/render.ts';
import type { BundleWork } from '../status/seen.ts';
import type { Named } from '../works.ts';
import { heldIn, OF_BUNDLES } from './held.ts';

/** By cluster: the hashes of objects that are to be applied by force. */
export type Freed = ReadonlyMap<string, ReadonlySet<string>>;

export const NONE_FREED: ReadonlySet<string> = new Set();

/**
 * Objects whose fields are held by Bundles alone that do not carry them any more, and those that have been
 * taken over and are not applied yet. Read live. Throws ApiError.
 */
export async function freedFor(kube: Kube, works: readonly BundleWork[], terms: Terms): Promise<Freed> {
  const freed = new Map<string, ReadonlySet<string>>();
  for (const { metadata, seen } of works) {
    const { contested = {}, forced = {} } = seen.held;
    const hashes = new Set(Object.keys(forced).filter((hash) => forced[hash] === false));
    for (const [hash, managers] of Object.entries(contested))
      if (await areGone(kube, { cluster: metadata.namespace ?? '', hash, terms }, managers)) hashes.add(hash);
    if (hashes.size > 0) freed.set(metadata.namespace ?? '', hashes);
  }
  return freed;
}

interface Contested {
  readonly cluster: string;
  readonly hash: string;
  readonly terms: Terms;
}

async function areGone(kube: Kube, one: Contested, managers: readonly string[]): Promise<boolean> {
  for (const manager of managers) if (!(await isGone(kube, one, manager))) return false;
  return true;
}

/**
 * A name that is a hash is nobody's whom we know. On a site with two hubs a Bundle that is not here may be
 * the other's.
 */
async function isGone(kube: Kube, { cluster, hash, terms }: Contested, manager: string): Promise<boolean> {
  const [namespace = '', name = '', ...more] = manager.slice(OF_BUNDLES.length).split('/');
  if (namespace === '' || name === '' || more.length > 0) return false;
  const owner = { namespace, name };
  const work = await kube.get<ManifestWork>(MANIFEST_WORK, {
    namespace: cluster,
    name: bundleWorkName(owner),
  });
  if (work !== null && isWorkOfBundle(work, owner)) return !heldIn(work).objects.includes(hash);
  return terms.executorHub === undefined || (await kube.getMetadata(BUNDLE, owner)) !== null;
}

/** Whether another Bundle carries an object on a cluster, and has it Ready there. */
export type HasHeir = (cluster: string, hash: string) => boolean;

/** By a cache of every work. */
export function heirsOf({ bundleWorks }: Pick<HubCaches, 'bundleWorks'>, ref: Named): HasHeir {
  const own = bundleWorkName(ref);
  return (cluster, hash) =>
    bundleWorks
      .list(cluster)
      .some(
        ({ metadata, seen }) =>
          metadata.name !== own &&
          metadata.deletionTimestamp === undefined &&
          seen.state === 'Ready' &&
          seen.held.objects.includes(hash),
      );
}

/** Who else holds what a Bundle ships. */
export interface Owners {
  readonly freed: Freed;
  readonly hasHeir: HasHeir;
}
