// Deletes all works of a Bundle that is being deleted or gone, and releases its finalizer when they are gone.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { ABANDON, BUNDLE_FINALIZER, requestedBy } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { isOrphaning, removeFinalizers } from '../../../kube/finalizer.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { AwaitedAnswer, LetsGo } from './owners/leaving.ts';
import { abandonedBy, outlookOf } from '../retire/abandon.ts';
import { dropWork, removeWork, type Removal } from '../retire/removal.ts';
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
      /** Sites that have still to answer to what they were told; their answers ring. */
      readonly unanswered: readonly string[];
      /** Works that the hub's API server does not let go. */
      readonly unremoved: readonly RefusedRemoval[];
    };

const NOTHING_DONE = {
  outcome: 'Leaving',
  lost: [],
  isPending: false,
  isMore: false,
  unanswered: [],
  unremoved: [],
} as const;

/** Sites to clean up that begin at once. */
const PER_TURN = 100;

export interface HowToLeave {
  readonly letsGo: LetsGo;
  /** As the caches know it: its site was told and has not answered, so it need not be asked. */
  readonly isUnanswered: (work: KubeObject) => boolean;
}

/**
 * `bundle` is null if it is gone. The works are listed before it is read once more, so none is a successor's.
 */
export async function retire(
  kube: Kube,
  ref: BundleName,
  bundle: Bundle | null,
  leave: HowToLeave,
): Promise<RetiredBundle> {
  const works = await liveMetadata(kube, ref);
  const live = await kube.getMetadata(BUNDLE, ref);
  const isDead = live === null || live.metadata.deletionTimestamp !== undefined;
  if (!isDead || (live?.metadata.uid ?? null) !== (bundle?.metadata.uid ?? null)) return { outcome: 'Alive' };
  if (live !== null && works.length > 0 && isOrphaning(live))
    return { ...NOTHING_DONE, clusters: sitesOf(works), isOrphaning: true };
  const { asked, unremoved, unanswered, isPending, isMore } = await leaveSome(
    kube,
    works.filter((work) => !isGoing(work)),
    leave,
  );
  const { lost, released } = await letGo(kube, bundle, [...works.filter(isGoing), ...asked]);
  const left = released > 0 ? await liveMetadata(kube, ref) : works;
  if (left.length > 0) {
    const clusters = sitesOf(left);
    return {
      outcome: 'Leaving',
      clusters,
      lost: lost.filter((one) => clusters.includes(one)).slice(0, 10),
      isPending,
      isMore,
      unanswered: sitesOf(unanswered).filter((one) => clusters.includes(one)),
      isOrphaning: false,
      unremoved,
    };
  }
  if (bundle !== null) await removeFinalizers(kube, BUNDLE, bundle, [BUNDLE_FINALIZER]);
  return { outcome: 'Gone' };
}

interface Leaving {
  readonly asked: readonly KubeObject[];
  readonly unremoved: readonly RefusedRemoval[];
  readonly unanswered: readonly KubeObject[];
  readonly isPending: boolean;
  readonly isMore: boolean;
}

/** Goes on to further works at once while nothing comes of those before, so that these block no others. */
async function leaveSome(
  kube: Kube,
  standing: readonly KubeObject[],
  { letsGo, isUnanswered }: HowToLeave,
): Promise<Leaving> {
  const open = standing.filter((work) => !isUnanswered(work));
  const became = new Map<KubeObject, Removal | AwaitedAnswer>();
  const unremoved: RefusedRemoval[] = [];
  let begun = 0;
  while (begun < open.length && ![...became.values()].some((one) => HAS_COME_ON.has(one))) {
    const some = open.slice(begun, begun + PER_TURN);
    const tried = await Promise.allSettled(
      some.map(async (work) => {
        const awaited = await letsGo(work);
        became.set(work, awaited === 'Nothing' ? await removeWork(kube, work) : awaited);
      }),
    );
    unremoved.push(...unremovedOf(some.map(siteOf), tried));
    begun += some.length;
  }
  const those = (...outcomes: readonly (Removal | AwaitedAnswer)[]): KubeObject[] =>
    open.filter((work) => outcomes.includes(became.get(work) ?? 'Nothing'));
  return {
    asked: open.slice(0, begun),
    unremoved,
    unanswered: [...standing.filter(isUnanswered), ...those('Told', 'Unanswered')],
    isPending: those('Pending').length > 0,
    isMore: begun < open.length,
  };
}

/** What lets the next turn follow at once. */
const HAS_COME_ON: ReadonlySet<Removal | AwaitedAnswer> = new Set(['Begun', 'Gone', 'Told']);

function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Each once: a site may have Jobs that check the Bundle beside it. */
function sitesOf(works: readonly KubeObject[]): string[] {
  return [...new Set(works.map(siteOf))].toSorted();
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
