// What the hub of the world in memory does with works on its sites: it applies, finds and removes them.
import type { Applied } from '../../../../workflows/ports/applied.ts';
import type { Hub, Retired } from '../../../../workflows/ports/hub.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import type { World, WorldWork } from './world.ts';

type Found = Awaited<ReturnType<Hub['find']>>;
interface Removed {
  readonly leaving: readonly string[];
  readonly kept?: { readonly reason: string; readonly message: string };
}

export function apply(
  self: World,
  { ref, cluster }: { ref: CappRef; cluster: string },
  nextIncarnation: () => number,
): Applied {
  const { capp } = self;
  const at = Date.now();
  if (capp === null) return { outcome: 'Deleted' };
  if (capp.uid !== ref.uid) return { outcome: 'Replaced', uid: capp.uid };
  if (capp.deleting) return { outcome: 'Deleted' };
  const { generation } = capp;
  if (capp.missing !== null)
    return {
      outcome: 'Refused',
      generation,
      reason: 'MissingReference',
      message: `The pod refers to ${capp.missing}.`,
      at,
    };
  const live = self.works.get(cluster);
  if (live?.leaving === true) return { outcome: 'Leaving', generation, at };
  const incarnation = live?.incarnation ?? nextIncarnation();
  const stamp = `${capp.uid}/${generation}/hash-${generation}/${incarnation}`;
  self.works.set(cluster, { stamp, incarnation, leaving: false });
  const facts = {
    stamp,
    created: live === undefined,
    work: { uid: `work-${incarnation}`, applied: 'Unknown' as const, reason: '' },
  };
  return {
    outcome: 'Applied',
    generation,
    deadlineSeconds: capp.deadlineSeconds,
    at,
    ...facts,
    ...self.orders,
  };
}

export function retire(self: World, ref: CappRef): Retired {
  const { capp } = self;
  if (capp !== null && capp.uid !== ref.uid) return { outcome: 'Replaced', uid: capp.uid };
  if (capp !== null && !capp.deleting) return { outcome: 'Alive' };
  for (const work of self.works.values()) mark(work);
  if (self.works.size > 0) return { outcome: 'Leaving', clusters: [...self.works.keys()].toSorted() };
  self.capp = null;
  return { outcome: 'Retired' };
}

export function find(self: World, clusters: Parameters<Hub['find']>[1]): Found {
  const works = [...self.works].map(([cluster, { leaving }]) => ({ cluster, leaving }));
  return {
    works: works.filter(({ cluster }) => clusters?.includes(cluster) !== false),
    lost: {},
    given: [],
  };
}

export function remove(
  self: World,
  clusters: Parameters<Hub['remove']>[1],
  { staying, until }: Parameters<Hub['remove']>[2],
): Removed {
  const isThere = staying === null || self.works.get(staying.cluster)?.stamp === staying.stamp;
  const isGoing = staying !== null && self.works.get(staying.cluster)?.leaving === true;
  if (!isThere || isGoing)
    return { leaving: [], kept: { reason: 'WorkGone', message: 'there is nothing that stays.' } };
  if (Date.now() >= until) return { leaving: [], kept: { reason: 'Expired', message: 'it is too late.' } };
  for (const cluster of clusters) mark(self.works.get(cluster));
  return { leaving: clusters.filter((cluster) => self.works.has(cluster)) };
}

function mark(work: WorldWork | undefined): void {
  if (work !== undefined) work.leaving = true;
}
