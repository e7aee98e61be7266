// Creates and patches the works of a Bundle, and deletes those that it does not want any more.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { BUNDLE_REVISION } from '../../../crds/labels.ts';
import { isWorkOfBundle } from '../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { writtenAs } from '../../../crds/written.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError, isAlreadyExists, isNotFound } from '../../../kube/failure.ts';
import { keyOf, type KubeObject } from '../../../kube/resource.ts';
import { removeWork } from '../retire/removal.ts';
import type { RemovedCopies, Shipped as ShippedBy } from '../rollout/kind.ts';
import { isRejected, rejectedBy, whyUnwritten } from '../rollout/refusals.ts';
import { removeEach, writeEach } from '../rollout/writes.ts';
import { asWrittenBefore, isAsNoted, isAsWanted, replacing, writtenIn } from './manifests/as-written.ts';
import type { Refusal } from './manifests/manifests.ts';
import { contentOf } from './manifests/render.ts';
import { rulesOf } from './manifests/work-rules.ts';
import type { HasHeir } from './owners/heirs.ts';
import { withPartings } from './owners/parting.ts';
import type { LetsGo } from './owners/leaving.ts';
import { seenOf, type BundleWork } from './status/seen.ts';

export type ShippedBundle = ShippedBy<Refusal>;

export interface Errand {
  readonly kube: Kube;
  readonly bundle: Bundle;
  /** Whether the Bundle and what it reads are still what was read. */
  readonly isStill: () => Promise<boolean>;
  readonly hasHeir: HasHeir;
  /** Whether a work that has the name is ours to write; if absent, whether it is one of the Bundle's own. */
  readonly isOwn?: (live: ManifestWork) => boolean;
  /** Whether a work says something newer than what is to be written, which is left then; if absent, never. */
  readonly isNewer?: (live: ManifestWork) => boolean;
}

export interface RemovalErrand extends Pick<Errand, 'kube' | 'isStill'> {
  readonly staysYet: LetsGo;
}

/**
 * Each work is read before it is made sure that the Bundle is still the same, so whoever writes something
 * newer in between makes the patch a Conflict. Throws ApiError when that cannot be made sure.
 */
export async function shipAll(
  errand: Errand,
  works: readonly ManifestWork[],
): Promise<ReadonlyMap<string, ShippedBundle>> {
  const live = await writeEach(works, (work) => errand.kube.get<ManifestWork>(MANIFEST_WORK, keyOf(work)));
  const isStill = works.length === 0 || (await errand.isStill());
  const shipped = await writeEach([...live.keys()], async (work): Promise<ShippedBundle> => {
    const found = live.get(work) ?? null;
    if (found instanceof ApiError) throw found;
    return isStill ? ship(errand, found, work) : { is: 'left' };
  });
  return new Map(
    works.map((work) => {
      const one = shipped.get(work) ?? { is: 'left' };
      return [siteOf(work), one instanceof ApiError ? unwritten(work, one) : one];
    }),
  );
}

function unwritten({ metadata: { namespace, name } }: ManifestWork, error: ApiError): ShippedBundle {
  const message = whyUnwritten(`ManifestWork ${namespace ?? ''}/${name}`, error);
  return { is: 'unwritten', refusal: { reason: 'WriteFailed', message } };
}

/** A work that has become ready since the look stays. Throws ApiError when the API server does not answer. */
export async function removeAll(
  { kube, isStill, staysYet }: RemovalErrand,
  works: readonly BundleWork[],
): Promise<RemovedCopies> {
  if (works.length === 0 || !(await isStill())) return NONE_REMOVED;
  return removeEach(works, siteOf, async (work) => {
    if ((await staysYet(work)) !== 'Nothing') return 'Unanswered';
    const isReady = (state: string): boolean => state === 'Ready';
    const isAsSeen = (live: KubeObject): boolean => isReady(seenOf(live).state) === isReady(work.seen.state);
    return removeWork(kube, work, { isAsSeen });
  });
}

/**
 * Tells sites what they have to know before they are left; none is left yet, whatever has become of it
 * meanwhile. Throws ApiError when the API server does not answer.
 */
export async function tellAll(
  { isStill, staysYet }: RemovalErrand,
  works: readonly BundleWork[],
): Promise<RemovedCopies> {
  if (works.length === 0 || !(await isStill())) return NONE_REMOVED;
  let told = 0;
  const removed = await removeEach(works.slice(0, TOLD_PER_TURN), siteOf, async (work) => {
    if ((await staysYet(work)) === 'Told') told += 1;
    return 'Unanswered';
  });
  return { ...removed, isMore: works.length > TOLD_PER_TURN && told > 0 };
}

const TOLD_PER_TURN = 100;

const NONE_REMOVED: RemovedCopies = { pending: 0, unremoved: [], changed: [] };

function siteOf({ metadata: { namespace = '' } }: KubeObject): string {
  return namespace;
}

async function ship(errand: Errand, live: ManifestWork | null, wanted: ManifestWork): Promise<ShippedBundle> {
  try {
    return live === null ? await create(errand, wanted) : await update(errand, live, wanted);
  } catch (error) {
    // What is gone meanwhile is made again at the next try.
    const refusal = live !== null && isNotFound(error) ? null : refusalFor(wanted, error);
    if (refusal === null) throw error;
    return { is: 'refused', refusal };
  }
}

async function create(errand: Errand, wanted: ManifestWork): Promise<ShippedBundle> {
  try {
    return there(await noted(errand, await errand.kube.create<ManifestWork>(MANIFEST_WORK, wanted)));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  // Another try has made it meanwhile: the next turn reads it before anything else.
  return { is: 'left' };
}

async function update(errand: Errand, live: ManifestWork, given: ManifestWork): Promise<ShippedBundle> {
  const { kube, bundle, hasHeir, isOwn } = errand;
  const { namespace: cluster = '', name, uid, resourceVersion, finalizers = [] } = live.metadata;
  const owner = { namespace: bundle.metadata.namespace ?? '', name: bundle.metadata.name };
  if (!(isOwn?.(live) ?? isWorkOfBundle(live, owner))) return refused('NameTaken', taken(cluster, name));
  if (live.metadata.deletionTimestamp !== undefined) return { is: 'waits', refusal: stillLeaving(cluster) };
  if (errand.isNewer?.(live) === true) return { is: 'left' };
  const partings = withPartings(live, given, (hash) => hasHeir(cluster, hash));
  const wanted = asWrittenBefore(live, partings);
  // A work that parts with an object has other rules than it notes, for as long as that takes.
  const isParting = partings !== given;
  if ((isParting || isAsNoted(live)) && isAsWanted(live, wanted)) return there(live);
  const [finalizer = ''] = wanted.metadata.finalizers ?? [];
  const held = finalizers.includes(finalizer) ? {} : { finalizers: [...finalizers, finalizer] };
  const { labels, annotations } = wanted.metadata;
  const metadata = { uid, resourceVersion, ...held, labels, annotations };
  const patch = { metadata, spec: replacing(live.spec, wanted.spec) };
  return there(await noted(errand, await kube.patch<ManifestWork>(MANIFEST_WORK, keyOf(live), patch)));
}

/**
 * A server of another version may drop what it does not know of a work, or add defaults. Since it was sent
 * all that the work is to have, and null for the rest, what it has then is no edit of anybody, and is noted.
 */
async function noted({ kube }: Errand, work: ManifestWork): Promise<ManifestWork> {
  const was = writtenIn(work);
  const rules = rulesOf(work);
  const isWhole = was?.content === contentOf(work.spec?.workload.manifests ?? []);
  if (was?.rules === undefined || was.rules === rules || !isWhole) return work;
  const { uid, resourceVersion } = work.metadata;
  const annotations = { [BUNDLE_REVISION]: writtenAs({ ...was, rules }) };
  return kube.patch<ManifestWork>(MANIFEST_WORK, keyOf(work), {
    metadata: { uid, resourceVersion, annotations },
  });
}

function there({ metadata: { resourceVersion = '0' } }: KubeObject): ShippedBundle {
  return { is: 'there', version: resourceVersion };
}

function refused(reason: Refusal['reason'], message: string): ShippedBundle {
  return { is: 'refused', refusal: { reason, message } };
}

function stillLeaving(cluster: string): Refusal {
  const message = `An earlier work of this Bundle is still being cleaned up on ${cluster}.`;
  return { reason: 'StillLeaving', message };
}

function taken(cluster: string, name: string): string {
  return `ManifestWork ${cluster}/${name} bears nothing that the hub puts on works of this Bundle, so it is left as it is. Delete it, or rename the Bundle.`;
}

/**
 * A refusal for good of one work, without the server's words, which may quote it; null for any other error.
 */
function refusalFor(
  { metadata: { namespace: cluster = '', name } }: ManifestWork,
  error: unknown,
): Refusal | null {
  if (isNotFound(error))
    return {
      reason: 'UnknownSite',
      message: `The hub has no namespace ${cluster}, which OCM makes for a cluster that is accepted: see why it has not, or select other sites.`,
    };
  if (!isRejected(error)) return null;
  return {
    reason: 'Refused',
    message: `The hub refuses ManifestWork ${cluster}/${name}: ${error.reason}${rejectedBy(error)}. The hub worker needs the rights of the chart; OCM's webhook refuses manifests without a name and more than 500 KiB.`,
  };
}
