// Deletes all works of a Capp that is being deleted, and releases its finalizer when they are gone.
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { retryOnConflict } from '../../../kube/failure.ts';
import { removeFinalizers } from '../../../kube/finalizer.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { FINALIZER } from '../../../crds/labels.ts';
import type { Hub, Retired } from '../../../workflows/ports/hub.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import { acting } from '../../trying.ts';
import type { Audit } from '../audit/act.ts';
import { dropRecords, type PointOptions } from '../dns/point.ts';
import { abandon, outlookOf } from './abandon.ts';
import { readCapp } from '../capps.ts';
import type { HubCaches } from '../caches.ts';
import { claimOf, namedWorks, recordedSite, type WorkClaim } from '../claim.ts';
import { reachableBy, showsAllWorks, standingIn } from './known.ts';
import { isOnlyTakenUp } from '../site/taken-up.ts';
import { removeWork, type Removal } from './removal.ts';
import { dropUnheld } from './unheld.ts';
import { allWorks, namedLive } from '../works.ts';

export interface RetireOptions {
  readonly kube: Kube;
  readonly caches: Pick<HubCaches, 'capps' | 'works' | 'clusters'>;
  readonly audit: Audit;
  /** What the DNS records of the Capp stand on; absent if there are none to remove. */
  readonly records?: Omit<PointOptions, 'kube'>;
}

export function hubRetire({ kube, ...known }: RetireOptions): Pick<Hub, 'retire'> {
  return {
    retire: (capp, minimumVersions = {}) =>
      acting(kube, (bounded) =>
        retryOnConflict((tries) =>
          retire({ kube: bounded, ...known }, { ref: capp, minimumVersions, isFirst: tries === 1 }),
        ),
      ),
  };
}

interface Errand {
  readonly ref: CappRef;
  readonly minimumVersions: State['minimumVersions'];
  /** Nothing has contradicted the caches yet. */
  readonly isFirst: boolean;
}

async function retire(
  { kube, caches, audit, records }: RetireOptions,
  { ref, minimumVersions, isFirst }: Errand,
): Promise<Retired> {
  const read = await readCapp(kube, ref);
  if (read.is === 'there') return { outcome: 'Alive' };
  if (read.is === 'replaced') return { outcome: 'Replaced', uid: read.uid };
  const claim = claimOf(caches, ref, read.capp === null ? null : recordedSite(read.capp));
  const isShown = showsAllWorks(caches, minimumVersions);
  const find = async (): Promise<KubeObject[]> => {
    // While works are known, a later look finds the others. A list costs the more the more works there are.
    const known = await namedLive(kube, claim, namedWorks(caches, claim));
    return known.length > 0 ? known : allWorks(kube, claim, [], isShown);
  };
  const standing = isFirst ? standingIn(caches, claim) : [];
  const tried = await removeEach(kube, standing);
  const isKnown = standing.length > 0 && !tried.includes('Gone');
  const works = isKnown ? standing : await find();
  const isPending = (isKnown ? tried : await removeEach(kube, works)).includes('Pending');
  const isHere = isKnown ? reachableBy(caches, minimumVersions) : undefined;
  const outlook = await outlookOf(kube, read.capp, works, isHere);
  const unheld = await dropUnheld(
    kube,
    works.filter(({ metadata }) => outlook.lost[metadata.namespace ?? ''] !== undefined),
  );
  const isLet = (await abandon({ kube, audit }, read.capp, works, outlook)) || unheld.length > 0;
  const left = isLet ? await find() : works;
  const isOver = left.length === 0 || (await holdsNobodyUp(kube, claim, read.capp, left));
  if (isOver) await release(kube, records, ref, read.capp);
  if (left.length === 0) return { outcome: 'Retired' };
  return {
    outcome: 'Leaving',
    clusters: clustersOf(left),
    ...outlook,
    ...(isPending ? { isPending } : {}),
  };
}

async function release(
  kube: Kube,
  records: RetireOptions['records'],
  ref: CappRef,
  capp: Capp | null,
): Promise<void> {
  if (records !== undefined) await dropRecords({ ...records, kube }, ref);
  if (capp !== null) await removeFinalizers(kube, CAPP, capp, [FINALIZER]);
}

/**
 * All that is left is on sites that only said that they have a copy. What is known may be less than what is
 * there, so all works are read before a Capp may go with some of them left.
 */
async function holdsNobodyUp(
  kube: Kube,
  claim: WorkClaim,
  capp: Capp | null,
  left: readonly KubeObject[],
): Promise<boolean> {
  const isOnlySaid = ({ metadata: { namespace = '', deletionTimestamp } }: KubeObject): boolean =>
    capp !== null && isOnlyTakenUp(capp, namespace) && deletionTimestamp !== undefined;
  if (capp === null || !left.every(({ metadata }) => isOnlyTakenUp(capp, metadata.namespace ?? '')))
    return false;
  return (await allWorks(kube, claim, [], false)).every(isOnlySaid);
}

function removeEach(kube: Kube, works: readonly KubeObject[]): Promise<Removal[]> {
  return Promise.all(works.map((work) => removeWork(kube, work)));
}

function clustersOf(works: readonly KubeObject[]): string[] {
  return [...new Set(works.map((work) => work.metadata.namespace ?? ''))].toSorted();
}
