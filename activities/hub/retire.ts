// Takes a Capp's works away: all of them when the Capp goes, some of them when they are no longer wanted.
import type { Kube } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { Hub, Retired } from '../../workflows/ports.ts';
import type { CappRef } from '../../workflows/state.ts';
import { raising } from '../raise.ts';
import { readCapp, releaseFinalizer } from './capps.ts';
import { allWorks, findWork, removeWork } from './works.ts';

export function hubRetire(kube: Kube): Pick<Hub, 'retire' | 'remove'> {
  return {
    retire: (capp) => raising(() => retire(kube, capp)),
    remove: (capp, clusters) => raising(() => remove(kube, capp, clusters)),
  };
}

async function retire(kube: Kube, ref: CappRef): Promise<Retired> {
  const read = await readCapp(kube, ref);
  if (read.is === 'there') return { outcome: 'Alive' };
  if (read.is === 'replaced') return { outcome: 'Replaced', uid: read.uid };
  const site = read.capp?.status?.applicationLinks?.site;
  const works = await allWorks(kube, ref, site === undefined ? [] : [site]);
  if (works.length === 0) {
    if (read.capp !== null) await releaseFinalizer(kube, read.capp);
    return { outcome: 'Retired' };
  }
  await Promise.all(works.map((work) => removeWork(kube, work)));
  return { outcome: 'Leaving', clusters: clustersOf(works) };
}

async function remove(kube: Kube, ref: CappRef, clusters: readonly string[]): Promise<{ leaving: string[] }> {
  const found = await Promise.all(clusters.map((cluster) => findWork(kube, ref, cluster)));
  const works = found.filter((work) => work !== null);
  await Promise.all(works.map((work) => removeWork(kube, work)));
  return { leaving: clustersOf(works) };
}

function clustersOf(works: readonly KubeObject[]): string[] {
  return [...new Set(works.map((work) => work.metadata.namespace ?? ''))].toSorted();
}
