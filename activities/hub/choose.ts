// Gathers from the caches what a choice rests on, and lets the pure part choose.
import { LOCAL_CLUSTER, type ManagedCluster } from '../../crds/ocm.ts';
import type { Capp } from '../../crds/capp.ts';
import type { RcsConfig } from '../../crds/rcs-config.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { select, type ClusterFacts, type Field, type PlacementFacts } from '../../workflows/decide/select.ts';
import type { Ask, Choice, FoundWork, Hub } from '../../workflows/ports.ts';
import type { CappRef } from '../../workflows/state.ts';
import { cappIndexKey, type HubCaches } from './caches.ts';
import { caughtUp } from './caught-up.ts';
import { pending, type Pending } from './pending.ts';
import { scoresOf } from './scores.ts';

export interface ChooseOptions {
  readonly caches: HubCaches;
  /** uid of the hub's own kube-system Namespace: a managed cluster that claims it is the hub. */
  readonly hubUid: string;
  /** Where the RCSConfig stands. */
  readonly config: { readonly namespace: string; readonly name: string };
}

/** The claim by which OCM's agents tell a cluster's identity: the uid of its kube-system Namespace. */
const ID_CLAIM = 'id.k8s.io';

export function hubChoose(options: ChooseOptions): Pick<Hub, 'choose'> {
  const waiting = pending();
  return { choose: (ref, ask) => choose(options, waiting, ref, ask) };
}

async function choose(options: ChooseOptions, waiting: Pending, ref: CappRef, ask: Ask): Promise<Choice> {
  const { caches } = options;
  if (!(await caughtUp(caches, ask.marks))) return { outcome: 'Behind' };
  const capp = caches.capps.get({ namespace: ref.namespace, name: ref.name });
  if (capp === undefined || capp.metadata.deletionTimestamp !== undefined) return { outcome: 'Absent' };
  const works = caches.works.by('capp', cappIndexKey(ref.namespace, ref.name));
  const found: FoundWork[] = works.map(({ metadata }) => ({
    cluster: metadata.namespace ?? '',
    leaving: metadata.deletionTimestamp !== undefined,
  }));
  const now = Date.now();
  const selection = select(fieldFor(options, waiting, { capp, works, ask }), now);
  const { message, record } = selection;
  const generation = capp.metadata.generation ?? 0;
  if (selection.cluster === null) return { outcome: 'None', reason: selection.reason, message, generation, record, works: found };
  waiting.note(cappIndexKey(ref.namespace, ref.name), selection.cluster, now);
  return { outcome: 'Chosen', cluster: selection.cluster, pinned: selection.pinned, message, generation, record, works: found };
}

interface Subject {
  readonly capp: Capp;
  readonly works: readonly KubeObject[];
  readonly ask: Ask;
}

function fieldFor(options: ChooseOptions, waiting: Pending, { capp, works, ask }: Subject): Field {
  const { caches, hubUid } = options;
  const config: RcsConfig | undefined = caches.configs.get(options.config);
  const placements = config?.spec.placements ?? null;
  const placementsNamespace = config?.spec.placementsNamespace ?? '';
  const site = capp.spec.site ?? '';
  const clusters = Object.fromEntries(caches.clusters.list().map((cluster) => [cluster.metadata.name, factsOf(cluster, hubUid)]));
  return {
    site,
    placements,
    placementsNamespace,
    byPlacement: Object.fromEntries((placements ?? []).map((name) => [name, placementFacts(caches, placementsNamespace, name)])),
    clusters,
    load: Object.fromEntries(Object.keys(clusters).map((name) => [name, loadOf(caches, waiting, name)])),
    scores: scoresOf(caches, placementsNamespace, placements?.includes(site) === true ? [site] : (placements ?? [])),
    works: Object.fromEntries(
      works.map(({ metadata }) => [metadata.namespace ?? '', { leaving: metadata.deletionTimestamp !== undefined }]),
    ),
    present: ask.present ?? remembered(capp, works),
    avoid: ask.avoid,
  };
}

function factsOf(cluster: ManagedCluster, hubUid: string): ClusterFacts {
  const { metadata, spec, status } = cluster;
  const claimsHub = status?.clusterClaims?.some(({ name, value }) => name === ID_CLAIM && value === hubUid) === true;
  return {
    isHub: claimsHub || metadata.name === LOCAL_CLUSTER || metadata.labels?.[LOCAL_CLUSTER] === 'true',
    accepted: spec?.hubAcceptsClient === true,
    deleting: metadata.deletionTimestamp !== undefined,
  };
}

/** The union of all pages of the Placement's decisions; null if there is no such Placement. */
function placementFacts(caches: HubCaches, namespace: string, name: string): PlacementFacts | null {
  if (caches.placements.get({ namespace, name }) === undefined) return null;
  const pages = caches.decisions.by('placement', `${namespace}/${name}`);
  const clusters = pages.flatMap((page) => page.status?.decisions ?? []).map(({ clusterName }) => clusterName);
  return { clusters: [...new Set(clusters)].filter((cluster) => cluster !== '').toSorted() };
}

function loadOf(caches: HubCaches, waiting: Pending, cluster: string): number {
  const visible = (key: string): boolean => caches.works.by('capp', key).some(({ metadata }) => metadata.namespace === cluster);
  return caches.works.by('cluster', cluster).length + waiting.countOn(cluster, visible);
}

/** After a rebuild: the site the status names, if a work is there; else wherever a work is. */
function remembered(capp: Capp, works: readonly KubeObject[]): string | null {
  const staying = works.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.namespace ?? '');
  const site = capp.status?.migration?.serving ?? capp.status?.applicationLinks?.site;
  if (site !== undefined && staying.includes(site)) return site;
  return staying.toSorted()[0] ?? null;
}
