// Deletes all works of a Bundle that is being deleted or gone, and releases its finalizer when they are gone.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { ABANDON, BUNDLE_FINALIZER, requestedBy } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { isOrphaning, removeFinalizers } from '../../../kube/finalizer.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { LetsGo } from './owners/leaving.ts';
import { abandonedBy, outlookOf } from '../retire/abandon.ts';
import { dropWork, removeWork } from '../retire/removal.ts';
import { dropUnheld } from '../retire/unheld.ts';
import { unremovedOf, type RefusedRemoval } from '../rollout/removing/unremoved.ts';
import { emit } from '../status/events.ts';
import { liveMetadata, type BundleName } from './works.ts';

export type RetiredBundle =
  | { readonly outcome: 'Gone' }
  /** The Bundle lives after all. */
  | { readonly outcome: 'Alive' }
  | {
      readonly outcome: 'Leaving';
      readonly clusters: readonly string[];
      readonly lost: readonly string[];
      /** A work could not be deleted yet. */
      readonly isPending: boolean;
      /** There are more deletions to begin. */
      readonly isMore: boolean;
      /** The garbage collector has still to orphan what the Bundle owns, and nothing is deleted before. */
      readonly isOrphaning: boolean;
      /** Works that the hub's API server does not let go. */
      readonly unremoved: readonly RefusedRemoval[];
    };

const NOTHING_DONE = {
  outcome: 'Leaving',
  lost: [],
  isPending: false,
  isMore: false,
  unremoved: [],
} as const;

/** Sites to clean up that begin at once. */
const PER_TURN = 100;

/**
 * `bundle` is null if it is gone. The works are listed before it is read once more, so none is a successor's.
 */
export async function retire(
  kube: Kube,
  ref: BundleName,
  bundle: Bundle | null,
  letsGo: LetsGo,
): Promise<RetiredBundle> {
  const works = await liveMetadata(kube, ref);
  const live = await kube.getMetadata(BUNDLE, ref);
  const isDead = live === null || live.metadata.deletionTimestamp !== undefined;
  if (!isDead || (live?.metadata.uid ?? null) !== (bundle?.metadata.uid ?? null)) return { outcome: 'Alive' };
  if (live !== null && works.length > 0 && isOrphaning(live))
    return { ...NOTHING_DONE, clusters: works.map(siteOf).toSorted(), isOrphaning: true };
  const standing = works.filter((work) => !isGoing(work));
  const some = standing.slice(0, PER_TURN);
  const tried = await Promise.allSettled(
    some.map(async (work) => ((await letsGo(work)) ? 'Pending' : removeWork(kube, work))),
  );
  const unremoved = unremovedOf(some.map(siteOf), tried);
  const { lost, released } = await letGo(kube, bundle, [...works.filter(isGoing), ...some]);
  const left = released > 0 ? await liveMetadata(kube, ref) : works;
  if (left.length > 0) {
    const clusters = left.map(siteOf).toSorted();
    const isWaiting = tried.some((one) => one.status === 'fulfilled' && one.value === 'Pending');
    return {
      outcome: 'Leaving',
      clusters,
      lost: lost.filter((one) => clusters.includes(one)).slice(0, 10),
      isPending: isWaiting,
      isMore: standing.length > PER_TURN,
      isOrphaning: false,
      unremoved,
    };
  }
  if (bundle !== null) await removeFinalizers(kube, BUNDLE, bundle, [BUNDLE_FINALIZER]);
  return { outcome: 'Gone' };
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function siteOf({ metadata }: KubeObject): string {
  return metadata.namespace ?? '';
}

/**
 * Of works that are to go, releases those that no agent ever held, and those on lost clusters that a person
 * has given up. Says which clusters are lost.
 */
export async function letGo(
  kube: Kube,
  bundle: Bundle | null,
  works: readonly KubeObject[],
): Promise<{ readonly lost: readonly string[]; readonly released: number }> {
  if (works.length === 0) return { lost: [], released: 0 };
  const lost = Object.keys((await outlookOf(kube, bundle, works)).lost);
  const onLost = works.filter(({ metadata }) => lost.includes(metadata.namespace ?? ''));
  const unheld = await dropUnheld(kube, onLost);
  return { lost, released: unheld.length + (await giveUp(kube, bundle, onLost)) };
}

/** Works on lost clusters that a person has given up. What runs there may run on. */
async function giveUp(kube: Kube, bundle: Bundle | null, works: readonly KubeObject[]): Promise<number> {
  const asked = abandonedBy(bundle);
  const given = works.filter(({ metadata }) => asked.includes(metadata.namespace ?? ''));
  if (bundle === null) return 0;
  for (const work of given) {
    const { namespace: cluster = '', name, uid = '' } = work.metadata;
    const by = bundle.metadata.annotations?.[requestedBy(ABANDON)] ?? 'somebody';
    const note = `${cluster} cannot be reached, and ${by} gave it up by annotation rcs.dana.io/abandon: ManifestWork ${cluster}/${name} is deleted from the hub. What the Bundle has brought to ${cluster} may still be there.`;
    await emit(kube, bundle, { type: 'Warning', reason: 'SiteAbandoned', note, occasion: uid });
    await dropWork(kube, work);
  }
  return given.length;
}
