// The hub's activities in the simulator: what `activities/hub` does, on the simulated hub. Status and memory are written and read by the real code.
import type { Capp } from '../../../crds/capp.ts';
import { abandonedBy } from '../../../activities/hub/abandon.ts';
import { hubPart } from '../../../activities/hub/status.ts';
import { look, place } from '../../../activities/hub/choice.ts';
import { conditionsOf } from '../../../workflows/decide/conditions.ts';
import { afterApply } from '../../../workflows/decide/learn.ts';
import type { Field } from '../../../workflows/decide/select.ts';
import type { DecisionRecord } from '../../../crds/decision.ts';
import type { Applied, Ask, Choice, Publication, Retired } from '../../../workflows/ports.ts';
import type { Found, Grounds, Removed } from '../../../workflows/removals.ts';
import type { CappRef, State } from '../../../workflows/state.ts';
import type { Loss } from '../../../workflows/outlook.ts';
import type { Clockwork } from './clockwork.ts';
import type { Hub, Kind, Kinds, Work } from './hub.ts';

/** An activity that is not tried again. */
export class Refused extends Error {}

export interface Hands {
  readonly hub: Hub;
  readonly clock: Clockwork;
  /** A work was written or deleted on a cluster. */
  readonly nudge: (cluster: string) => void;
}

export function choose({ hub, clock }: Hands, ref: CappRef, ask: Ask): Choice {
  const isBehind = Object.entries(ask.marks).some(([kind, mark]) => kind in hub.live && hub.cached(kind as Kind).version < Number(mark));
  if (isBehind) return { outcome: 'Behind' };
  const capp = hub.cached('Capp').value;
  if (capp === null || capp.metadata.uid !== ref.uid || capp.metadata.deletionTimestamp !== undefined) return { outcome: 'Absent' };
  const field = fieldOf(hub, capp, ask);
  return ask.standing === null || ask.present === null
    ? place(field, capp, clock.now)
    : look({ ...field, present: ask.present }, ask.standing, capp, clock.now);
}

function fieldOf(hub: Hub, capp: Capp, ask: Ask): Field {
  const works = hub.cached('ManifestWork').value;
  const clusters = hub.cached('ManagedCluster').value;
  return {
    site: capp.spec.site ?? '',
    placements: hub.cached('RCSConfig').value,
    config: { namespace: 'rcs-deployer-system', name: 'rcs-config' },
    placementsNamespace: 'placements',
    byPlacement: hub.cached('PlacementDecision').value,
    clusters: Object.fromEntries(
      Object.entries(clusters).map(([name, { available, ...facts }]) => [name, { ...facts, reachable: available, mayPin: true }]),
    ),
    load: {},
    scores: {},
    works: Object.fromEntries(Object.entries(works).map(([name, { leaving }]) => [name, { leaving }])),
    present: ask.present ?? remembered(capp, works),
    avoid: ask.avoid,
  };
}

function remembered(capp: Capp, works: Kinds['ManifestWork']): string | null {
  const staying = Object.keys(works).filter((name) => works[name]?.leaving === false);
  const site = capp.status?.migration?.serving ?? capp.status?.applicationLinks?.site;
  return site !== undefined && staying.includes(site) ? site : (staying.toSorted()[0] ?? null);
}

const DEADLINE_SECONDS = 600;

function isPaused({ metadata }: Capp): boolean {
  return metadata.annotations?.['rcs.dana.io/paused'] !== undefined;
}

interface Shipping {
  readonly ref: CappRef;
  readonly cluster: string;
  readonly state: State;
  readonly record: DecisionRecord | null;
}

export function apply(hands: Hands, { ref, cluster, state, record }: Shipping): Applied {
  const { hub, clock } = hands;
  const at = clock.now;
  const capp = hub.get('Capp');
  if (capp !== null && capp.metadata.uid !== ref.uid) return { outcome: 'Replaced', uid: capp.metadata.uid ?? '' };
  if (capp === null || capp.metadata.deletionTimestamp !== undefined) return { outcome: 'Deleted' };
  const { generation = 0 } = capp.metadata;
  const told = (applied: Applied): Applied => {
    write(hands, ref, afterApply(state, cluster, applied), { record, mirror: null, at });
    return applied;
  };
  if (isPaused(capp)) return told({ outcome: 'Paused', generation, at });
  if (hub.get('Secret') < 0)
    return told({ outcome: 'Refused', generation, reason: 'MissingReference', message: 'A Secret is missing.', at });
  if (hub.get('ManagedCluster')[cluster] === undefined) throw new Refused(`namespace ${cluster} is gone`);
  const before = hub.get('ManifestWork')[cluster];
  if (before?.leaving === true) return told({ outcome: 'Leaving', generation, at });
  if (capp.metadata.finalizers === undefined) hub.write('Capp', { ...capp, metadata: { ...capp.metadata, finalizers: ['ours'] } });
  const work = ship(hands, { ref, cluster, generation, before });
  const isFound = before === work;
  const created = before === undefined;
  const facts = { stamp: work.stamp, created, work: { uid: work.uid, applied: work.applied, reason: '' } };
  const applied: Applied = { outcome: 'Applied', generation, ...facts, deadlineSeconds: DEADLINE_SECONDS, at };
  return isFound && state.published === null ? applied : told(applied);
}

function ship(
  { hub, nudge }: Hands,
  { ref, cluster, generation, before }: { ref: CappRef; cluster: string; generation: number; before: Work | undefined },
): Work {
  const version = hub.live.ManifestWork.version;
  const incarnation = before?.incarnation ?? `i${version}`;
  const stamp = `${ref.uid}/${generation}/h${hub.get('Secret')}/${incarnation}`;
  if (before?.stamp === stamp && before.owner === ref.uid) return before;
  const work: Work = { uid: before?.uid ?? `work-${version}`, stamp, incarnation, owner: ref.uid, leaving: false, applied: 'Unknown' };
  hub.write('ManifestWork', { ...hub.get('ManifestWork'), [cluster]: work });
  nudge(cluster);
  return work;
}

export function publish(hands: Hands, ref: CappRef, state: State, publication: Publication): void {
  write(hands, ref, state, publication);
}

function write({ hub }: Hands, ref: CappRef, state: State, { record, mirror, at }: Publication): void {
  const capp = hub.get('Capp');
  if (capp === null || capp.metadata.uid !== ref.uid) return;
  const part = hubPart(capp, { state, verdicts: conditionsOf(state, at), record, at });
  if (part !== null || mirror !== null) hub.write('Capp', { ...capp, status: part?.status ?? capp.status ?? {} });
}

export function retire(hands: Hands, ref: CappRef): Retired {
  const { hub } = hands;
  const capp = hub.get('Capp');
  if (capp !== null && capp.metadata.uid !== ref.uid) return { outcome: 'Replaced', uid: capp.metadata.uid ?? '' };
  if (capp !== null && capp.metadata.deletionTimestamp === undefined) return { outcome: 'Alive' };
  const clusters = Object.keys(hub.get('ManifestWork')).toSorted();
  if (clusters.length === 0) {
    if (capp !== null) hub.write('Capp', null);
    return { outcome: 'Retired' };
  }
  remove(hands, clusters, { staying: null, until: Infinity });
  const facts = hub.get('ManagedCluster');
  const losses = clusters.flatMap((name): [string, Loss][] =>
    facts[name] === undefined ? [[name, 'Gone']] : facts[name].available ? [] : [[name, 'Unreachable']],
  );
  const lost = Object.fromEntries(losses);
  const asked = abandonedBy(capp);
  const left = letGo(
    hands,
    asked.filter((name) => lost[name] !== undefined),
  );
  if (left.length === 0) return retire(hands, ref);
  return { outcome: 'Leaving', clusters: left, lost, kept: asked.filter((name) => left.includes(name) && lost[name] === undefined) };
}

/** Works that a person has given up go without their site's word. Says where there still are some. */
function letGo({ hub }: Hands, given: readonly string[]): string[] {
  const works = hub.get('ManifestWork');
  const left = Object.fromEntries(Object.entries(works).filter(([name, { leaving }]) => !leaving || !given.includes(name)));
  if (Object.keys(left).length < Object.keys(works).length) hub.write('ManifestWork', left);
  return Object.keys(left).toSorted();
}

export function remove({ hub, nudge, clock }: Hands, clusters: readonly string[], { staying, until }: Grounds): Removed {
  const works = hub.get('ManifestWork');
  const leaving = clusters.filter((cluster) => works[cluster] !== undefined);
  const fresh = leaving.filter((cluster) => works[cluster]?.leaving === false);
  const stays = staying === null ? undefined : works[staying.cluster];
  const isThere = staying === null || (stays?.stamp === staying.stamp && !stays.leaving);
  const isReached = staying === null || hub.get('ManagedCluster')[staying.cluster]?.available === true;
  if (fresh.length > 0 && (!isThere || !isReached || clock.now >= until))
    return { leaving: [], kept: { reason: 'Expired', message: 'what it rests on is not so.' } };
  const gone = fresh.map((cluster) => [cluster, { ...works[cluster], leaving: true } as Work] as const);
  if (gone.length > 0) hub.write('ManifestWork', { ...works, ...Object.fromEntries(gone) });
  for (const cluster of fresh) nudge(cluster);
  return { leaving };
}

export function find({ hub }: Hands, clusters: readonly string[]): Found {
  const works = hub.get('ManifestWork');
  const known = hub.get('ManagedCluster');
  const there = clusters.flatMap((cluster) => (works[cluster] === undefined ? [] : [{ cluster, leaving: works[cluster].leaving }]));
  const losses = there.flatMap(({ cluster }): [string, Loss][] => (known[cluster]?.available === true ? [] : [[cluster, 'Unreachable']]));
  return { works: there, lost: Object.fromEntries(losses), given: [] };
}
