// What there is to say of each site, from objects of the hub. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import type { HubStatusReport, PublishedAgent } from '../../crds/hub/hub-status.ts';
import type { ManagedCluster, ManagedClusterAddOn, Taint } from '../../crds/ocm/ocm.ts';
import type { AddOnPlacementScore } from '../../crds/ocm/placements.ts';
import { conditionIn } from './capp/phase.ts';

export interface ShownSiteFacts {
  readonly clusters: readonly ManagedCluster[];
  readonly addOns: readonly ManagedClusterAddOn[];
  readonly scores: readonly AddOnPlacementScore[];
  readonly capps: readonly Capp[];
  /** What the bridge has published of agents, if Temporal answers it. */
  readonly agents: readonly PublishedAgent[];
}

/** While Temporal does not answer, nobody knows who polls. */
export function agentsIn({ temporal, agents = [] }: HubStatusReport): readonly PublishedAgent[] {
  return temporal?.reachable === true ? agents : [];
}

/** What the names of OCM's and our own objects are. */
export interface SiteWords {
  readonly available: string;
  /** AddOnPlacementScores in the order in which they count. */
  readonly scoreObjects: readonly string[];
  readonly cpu: string;
  readonly memory: string;
  readonly localCluster: string;
}

export interface Site {
  readonly name: string;
  readonly state: 'Ready' | 'Unreachable' | 'NotAccepted' | 'Leaving' | 'Unknown';
  /** Since when, RFC 3339; null if unknown. */
  readonly since: string | null;
  /** Capps that serve there. */
  readonly capps: number;
  /** Free, in figures from -100 to 100; null if there is none, or it has expired. */
  readonly cpu: number | null;
  readonly memory: number | null;
  /** Until when the figures count, RFC 3339. */
  readonly scoredUntil: string | null;
  readonly agent: AgentState;
  readonly addOn: 'Available' | 'Unavailable' | 'Unknown' | 'Missing';
  /** As `key=value:effect`. */
  readonly taints: readonly string[];
  /** Kubernetes' version there, or null. */
  readonly version: string | null;
}

/**
 * `Answers`: it polls Temporal, or its figures are fresh, and only it measures them. `Silent`: the bridge
 * says so, or the hub of a Capp there. `Unknown`: nothing on the hub tells.
 */
export type AgentState =
  | { readonly is: 'Answers' | 'Unknown' }
  /** Null where nobody knows. */
  | { readonly is: 'Silent'; readonly lastSeen: string | null };

/** Sorted by name, without the hub itself. `now` in milliseconds since the epoch. */
export function sitesFrom(facts: ShownSiteFacts, words: SiteWords, now: number): Site[] {
  const bySite = factsBySite(facts);
  return facts.clusters
    .filter(({ metadata }) => metadata.name !== words.localCluster)
    .map((cluster) => siteFrom(cluster, bySite(cluster.metadata.name), words, now))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface FactsHere {
  /** Those that serve there. */
  readonly capps: readonly Capp[];
  readonly scores: readonly AddOnPlacementScore[];
  readonly addOn: ManagedClusterAddOn | undefined;
  readonly agent: PublishedAgent | undefined;
}

/** Each list is walked once, however many sites there are. */
function factsBySite({ capps, scores, addOns, agents }: ShownSiteFacts): (site: string) => FactsHere {
  const serving = grouped(capps, ({ status }) => status?.applicationLinks?.site ?? '');
  const scored = grouped(scores, ({ metadata }) => metadata.namespace ?? '');
  const installed = grouped(addOns, ({ metadata }) => metadata.namespace ?? '');
  const polling = grouped(agents, ({ site }) => site);
  return (site) => ({
    capps: serving.get(site) ?? [],
    scores: scored.get(site) ?? [],
    addOn: installed.get(site)?.[0],
    agent: polling.get(site)?.[0],
  });
}

/** As `Map.groupBy`, which Node 20 lacks. */
function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const there = found.get(key);
    if (there === undefined) found.set(key, [one]);
    else there.push(one);
  }
  return found;
}

function siteFrom(cluster: ManagedCluster, facts: FactsHere, words: SiteWords, now: number): Site {
  const { name } = cluster.metadata;
  const here = facts.capps;
  const score = scoreOf(facts.scores, words);
  const until = score?.status?.validUntil ?? null;
  const isFresh = score !== undefined && (until === null || Date.parse(until) > now);
  const figure = (wanted: string): number | null =>
    (isFresh ? score.status?.scores : [])?.find((one) => one.name === wanted)?.value ?? null;
  return {
    name,
    ...stateOf(cluster, words.available),
    capps: here.length,
    cpu: figure(words.cpu),
    memory: figure(words.memory),
    scoredUntil: until,
    agent: agentState(here, facts.agent, isFresh && until !== null),
    addOn: addOnState(facts.addOn),
    taints: (cluster.spec?.taints ?? []).map(taintText),
    version: kubernetesOf(cluster),
  };
}

function scoreOf(
  scores: readonly AddOnPlacementScore[],
  { scoreObjects }: SiteWords,
): AddOnPlacementScore | undefined {
  return scoreObjects
    .map((wanted) => scores.find(({ metadata }) => metadata.name === wanted))
    .find((one) => one !== undefined);
}

function stateOf(
  { metadata, spec, status }: ManagedCluster,
  availableType: string,
): Pick<Site, 'state' | 'since'> {
  const available = status?.conditions?.find(({ type }) => type === availableType);
  const since = available?.lastTransitionTime ?? null;
  if (metadata.deletionTimestamp !== undefined)
    return { state: 'Leaving', since: metadata.deletionTimestamp };
  if (spec?.hubAcceptsClient !== true)
    return { state: 'NotAccepted', since: metadata.creationTimestamp ?? null };
  if (available === undefined) return { state: 'Unknown', since };
  return { state: available.status === 'True' ? 'Ready' : 'Unreachable', since };
}

function agentState(
  here: readonly Capp[],
  published: PublishedAgent | undefined,
  isMeasuring: boolean,
): AgentState {
  if (published?.state === 'Silent') return { is: 'Silent', lastSeen: published.lastSeen ?? null };
  const silent = here
    .map((capp) => conditionIn(capp, 'Available'))
    .find((condition) => condition?.reason === 'AgentSilent');
  if (silent !== undefined) {
    const [, seen] = /last seen (?:at|before) (\d{4}-\d\d-\d\dT[\d:.]+Z)/.exec(silent.message) ?? [];
    return { is: 'Silent', lastSeen: seen ?? silent.lastTransitionTime };
  }
  return { is: isMeasuring || published !== undefined ? 'Answers' : 'Unknown' };
}

function addOnState(addOn: ManagedClusterAddOn | undefined): Site['addOn'] {
  if (addOn === undefined) return 'Missing';
  const status = addOn.status?.conditions?.find(({ type }) => type === 'Available')?.status;
  return status === 'True' ? 'Available' : status === 'False' ? 'Unavailable' : 'Unknown';
}

function taintText({ key, value = '', effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}

/** Kubernetes' version there, as OCM's agent has claimed it; null if it has not. */
export function kubernetesOf({ status }: ManagedCluster): string | null {
  const claim = status?.clusterClaims?.find(({ name }) => name === 'kubeversion.open-cluster-management.io');
  return claim?.value ?? null;
}
