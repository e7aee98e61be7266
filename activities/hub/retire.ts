// Takes a Capp's works away: all of them when the Capp goes, some of them when they are no longer wanted.
import { CAPP, type Capp } from '../../crds/capp.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { uncontested } from '../../kube/uncontested.ts';
import type { Hub, Removed, Retired } from '../../workflows/ports.ts';
import type { CappRef } from '../../workflows/state.ts';
import { acting } from '../trying.ts';
import { abandon, abandonedBy, outlookOf } from './abandon.ts';
import { readCapp, releaseFinalizer } from './capps.ts';
import { claimOf, namedWorks, saidSite, type Claim, type Known } from './claim.ts';
import { removeWork } from './removal.ts';
import { allWorks, findWork } from './works.ts';

export interface Registry {
  readonly kube: Kube;
  readonly caches: Known;
}

export function hubRetire({ kube, caches }: Registry): Pick<Hub, 'retire' | 'remove'> {
  return {
    retire: (capp) => acting(kube, (bounded) => uncontested(() => retire({ kube: bounded, caches }, capp))),
    remove: (capp, clusters, staying) => acting(kube, (bounded) => remove({ kube: bounded, caches }, capp, clusters, staying)),
  };
}

async function retire({ kube, caches }: Registry, ref: CappRef): Promise<Retired> {
  const read = await readCapp(kube, ref);
  if (read.is === 'there') return { outcome: 'Alive' };
  if (read.is === 'replaced') return { outcome: 'Replaced', uid: read.uid };
  const claim = claimOf(caches, ref, read.capp === null ? null : saidSite(read.capp));
  const find = (): Promise<KubeObject[]> => allWorks(kube, claim, namedWorks(caches, claim));
  const works = await find();
  await Promise.all(works.map((work) => removeWork(kube, work)));
  const outlook = await outlookOf(kube, read.capp, works);
  const left = (await abandon(kube, read.capp, works, outlook)) ? await find() : works;
  if (left.length > 0) return { outcome: 'Leaving', clusters: clustersOf(left), ...outlook };
  if (read.capp !== null) await releaseFinalizer(kube, read.capp);
  return { outcome: 'Retired' };
}

/** The work that is to stay is read after those that are to go: what is deleted in between is the other's affair. */
async function remove({ kube, caches }: Registry, ref: CappRef, clusters: readonly string[], staying: string | null): Promise<Removed> {
  const claim = claimOf(caches, ref, staying);
  const found = await Promise.all(clusters.map((cluster) => findWork(kube, claim, cluster)));
  const works = found.filter((work) => work !== null);
  const fresh = works.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (fresh.length > 0 && staying !== null && !(await stays(kube, claim, staying))) return { leaving: [], kept: true };
  await Promise.all(fresh.map((work) => removeWork(kube, work)));
  const going = works.filter((work) => !fresh.includes(work));
  const isGivenUp = going.length > 0 && (await giveUp(kube, ref, going));
  return isGivenUp ? remove({ kube, caches }, ref, clusters, staying) : { leaving: clustersOf(works) };
}

/** Of a Capp that lives, what a lost site has still to clean up after may be given up as well. */
async function giveUp(kube: Kube, ref: CappRef, going: readonly KubeObject[]): Promise<boolean> {
  const capp = await kube.get<Capp>(CAPP, ref);
  const asked = capp?.metadata.uid === ref.uid ? abandonedBy(capp) : [];
  const named = going.filter(({ metadata }) => asked.includes(metadata.namespace ?? ''));
  return named.length > 0 && abandon(kube, capp, named, await outlookOf(kube, capp, named));
}

async function stays(kube: Kube, claim: Claim, cluster: string): Promise<boolean> {
  const work = await findWork(kube, claim, cluster);
  return work !== null && work.metadata.deletionTimestamp === undefined;
}

function clustersOf(works: readonly KubeObject[]): string[] {
  return [...new Set(works.map((work) => work.metadata.namespace ?? ''))].toSorted();
}
