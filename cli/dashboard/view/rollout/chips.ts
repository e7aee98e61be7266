// The sites of a rollout, each with how it stands and the stage that it belongs to.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { writtenOf } from '../../../../crds/set/child.ts';
import { isSameRevision, shownRevision } from '../../../../crds/rollout/revision.ts';
import type { ExplainedFleet } from '../../../explain/set/rollout.ts';
import { conditionIn } from '../../../explain/capp/phase.ts';
import { sitesOfBundle, type Stand, type Stands } from '../../../explain/set/sites.ts';
import { stagesOf } from '../../../../workflows/stages/membership.ts';
import type { Target } from '../../../../workflows/stages/types.ts';
import { appLineOf } from '../apps.ts';
import type { DashboardFacts } from '../facts.ts';

export interface Chip extends Stand {
  readonly site: string;
  /** Empty where it is not known. */
  readonly stage: string;
  /** What the checks there came to, with their figures; empty where none are made. */
  readonly checks: string;
}

export interface Chips {
  readonly chips: readonly Chip[];
  /** Why they are in no stage, in a sentence; empty if they are. */
  readonly because: string;
}

/** So many sites are drawn one by one. */
const MOST_CHIPS = 1000;

export function chipsOf(one: ExplainedFleet, facts: DashboardFacts): Chips {
  const standing = one.is === 'CappSet' ? sitesOfSet(one.object, facts) : sitesOfBundle(one.object);
  const checks = one.is === 'CappSet' ? checksBySite(one.object.metadata.uid, facts) : NO_CHECKS;
  const known = [...standing]
    .slice(0, MOST_CHIPS)
    .map(([site, chip]) => ({ site, ...chip, checks: checks.get(site) ?? '' }));
  const { because, stageBySite } = stagesBySite(one, [...standing.keys()], facts);
  return {
    because: known.length === 0 ? '' : because,
    chips: known.map((chip) => ({ ...chip, stage: stageBySite.get(chip.site) ?? '' })),
  };
}

/** What a Bundle's Jobs came to stands in its messages. */
const NO_CHECKS: ReadonlyMap<string, string> = new Map();

/** The words and figures of the verdict, as the Capp of each site has them. */
function checksBySite(uid: string | undefined, { capps }: DashboardFacts): Map<string, string> {
  const own = capps.filter(({ metadata }) => isOf(metadata, uid));
  return new Map(
    own.flatMap((capp): [string, string][] => {
      const verified = conditionIn(capp, 'Verified');
      const { site } = capp.spec;
      return verified === undefined || site === undefined ? [] : [[site, verified.message]];
    }),
  );
}

type ExplainedSet = Extract<ExplainedFleet, { is: 'CappSet' }>['object'];

/**
 * As the Capp of each site says; a site without one waits. What the set says of a site that fails counts
 * more.
 */
function sitesOfSet(set: ExplainedSet, facts: DashboardFacts): Stands {
  const found: Stands = new Map();
  for (const site of set.spec.sites?.clusters ?? [])
    found.set(site, { tone: 'busy', says: 'waits', app: null });
  for (const [site, stand] of standsOfCapps(set, facts)) found.set(site, stand);
  for (const { site, reason } of set.status?.failing ?? [])
    found.set(site, failingAs(reason, found.get(site)));
  return found;
}

function standsOfCapps({ metadata: { uid }, status }: ExplainedSet, { capps, clusters }: DashboardFacts) {
  const lost = new Set(clusters.filter(isLost).map(({ metadata }) => metadata.name));
  return capps.flatMap((capp): [string, Stand][] => {
    const { site } = capp.spec;
    if (site === undefined || !isOf(capp.metadata, uid)) return [];
    const { namespace, name } = capp.metadata;
    const stands = standingOf(capp, status?.revision ?? '', lost.has(site));
    return [[site, { ...stands, app: `${namespace}/${name}` }]];
  });
}

/** A site that is offline stays that: nobody knows what fails there now. */
function failingAs(reason: string, before: Stand | undefined): Stand {
  const app = before?.app ?? null;
  if (reason === 'Overridden') return { tone: 'held', says: 'overridden', app };
  return before?.says === 'offline' ? before : { tone: 'bad', says: `failed: ${reason}`, app };
}

function isOf({ ownerReferences = [] }: Capp['metadata'], uid: string | undefined): boolean {
  return ownerReferences.some((owner) => owner.uid === uid);
}

function standingOf(capp: Capp, revision: string, isOffline: boolean): Pick<Chip, 'tone' | 'says'> {
  if (isOffline) return { tone: 'unknown', says: 'offline' };
  const has = writtenOf(capp.metadata)?.revision ?? '';
  const { tone, phase } = appLineOf(capp);
  if (revision !== '' && !isSameRevision(has, revision))
    return { tone: 'busy', says: `waits${has === '' ? '' : ` at ${shownRevision(has)}`}` };
  if (tone === 'good') return { tone, says: 'ready' };
  return tone === 'busy' ? { tone: 'moving', says: 'under way' } : { tone, says: phase };
}

function isLost({ status }: DashboardFacts['clusters'][number]): boolean {
  return (
    status?.conditions?.some(
      ({ type, status: is }) => type === 'ManagedClusterConditionAvailable' && is !== 'True',
    ) === true
  );
}

/** Which stage has a site depends on all sites and their labels: a guess from some of them would be wrong. */
function stagesBySite(
  one: ExplainedFleet,
  sites: readonly string[],
  { clusters, hidesSites }: DashboardFacts,
) {
  const { metadata, spec, status } = one.object;
  const [only, ...more] = status?.stages ?? [];
  const stageBySite = new Map<string, string>();
  if (only !== undefined && more.length === 0) {
    for (const site of sites) stageBySite.set(site, only.name);
    return { stageBySite, because: '' };
  }
  if (hidesSites)
    return {
      stageBySite,
      because: 'Which stage a site is in is told by the labels of ManagedClusters, which you may not read.',
    };
  if (sites.length !== (status?.sites ?? -1))
    return {
      stageBySite,
      because: 'Not every site of it is known here yet, so these stand outside the stages.',
    };
  const labels = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster.metadata.labels ?? {}]));
  const unknown = { reachable: true, revision: null, verdict: 'Progressing', since: 0 } as const;
  const targets = sites.map((cluster): Target => ({
    ...unknown,
    cluster,
    labels: labels.get(cluster) ?? {},
  }));
  for (const stage of stagesOf({ targets, strategy: spec.strategy, seed: metadata.uid ?? '' }))
    for (const { cluster } of stage.sites) stageBySite.set(cluster, stage.name);
  return { stageBySite, because: '' };
}
