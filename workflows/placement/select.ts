// Chooses a cluster for a Capp and explains the choice in a decision record. Pure.
import type { DecisionCandidate, DecisionRecord } from '../../crds/capp/decision.ts';
import { decidedFor, placementsFor } from './decided.ts';
import { sift, type Excluded } from './exclude.ts';
import { lackOf } from './fit.ts';
import type { PlacementInputs } from './inputs.ts';
import { describeNone, type NoneReason } from './no-candidate.ts';

export type Selection =
  | {
      readonly cluster: string;
      readonly pinned: boolean;
      readonly message: string;
      readonly record: DecisionRecord;
    }
  | {
      readonly cluster: null;
      readonly reason: NoneReason;
      readonly message: string;
      readonly record: DecisionRecord;
    };

/** Clusters to choose from; `placement` is null when `spec.site` names a cluster. */
export interface Pool {
  readonly placement: string | null;
  readonly clusters: readonly string[];
}

/** The cluster for a Capp, or none, with the record of why. Pure. */
export function select(inputs: PlacementInputs, now: number): Selection {
  const settled = settledOn(inputs);
  if (settled !== null) return stay(inputs, settled, now);
  const pool = poolOf(inputs);
  if (typeof pool === 'string') return none(inputs, pool, { placement: null, clusters: [] }, now);
  const { eligible, excluded } = sift(inputs, considered(inputs, pool), now);
  const ranked = rank(inputs, eligible);
  const winner = ranked[0];
  if (winner === undefined) return none(inputs, noneReason(pool, excluded), pool, now);
  const pinned = pool.placement === null;
  const reason = reasonFor(inputs, winner, pinned);
  const record = decisionRecord(
    { cluster: winner.cluster, reason, placement: pool.placement },
    ranked,
    excluded,
    now,
  );
  return { cluster: winner.cluster, pinned, message: messageFor(winner, pool), record };
}

function considered({ only }: PlacementInputs, { clusters }: Pool): readonly string[] {
  return only === undefined ? clusters : clusters.filter((cluster) => cluster === only);
}

/** A cluster that already has the Capp's work: another choice would be a move, and a choice does not move. */
function settledOn(inputs: PlacementInputs): string | null {
  const { present } = inputs;
  return present !== null &&
    inputs.works[present]?.leaving === false &&
    inputs.clusters[present]?.isHub !== true
    ? present
    : null;
}

function stay(inputs: PlacementInputs, cluster: string, now: number): Selection {
  const candidates = rank(inputs, [cluster]);
  const placement =
    (inputs.placements ?? []).find((name) => decidedFor(inputs, name).includes(cluster)) ?? null;
  const record = decisionRecord({ cluster, reason: 'Stays', placement }, candidates, [], now);
  return {
    cluster,
    pinned: inputs.site === cluster,
    message: `${cluster} already has a work of the Capp`,
    record,
  };
}

/**
 * The clusters to choose from: a named placement's, a named cluster, or those of the first placement in order
 * that has decided for a site that fits `spec.requires`, or else of the first that has a decision.
 */
export function poolOf(inputs: PlacementInputs): Pool | NoneReason {
  const { site, placements } = inputs;
  if (placements === null && !isOpenByName(inputs, site)) return 'NoConfig';
  const listed = placements ?? [];
  if (site !== '' && !listed.includes(site)) {
    if (inputs.clusters[site] === undefined) return 'UnknownSite';
    return isOpenByName(inputs, site) ? { placement: null, clusters: [site] } : 'PinRefused';
  }
  const names = placementsFor(inputs);
  if (names.every((name) => (inputs.byPlacement[name] ?? null) === null)) return 'NoPlacement';
  const holding = names.find(
    (name) => inputs.present !== null && decidedFor(inputs, name).includes(inputs.present),
  );
  const first = holding ?? firstOf(inputs, names);
  return first === undefined ? 'NoDecision' : { placement: first, clusters: decidedFor(inputs, first) };
}

function firstOf(inputs: PlacementInputs, names: readonly string[]): string | undefined {
  const fits = (cluster: string): boolean => {
    const facts = inputs.clusters[cluster];
    return facts !== undefined && lackOf(inputs.requires, facts) === null;
  };
  return (
    names.find((name) => decidedFor(inputs, name).some(fits)) ??
    names.find((name) => decidedFor(inputs, name).length > 0)
  );
}

/**
 * Whether a Capp may be sent there by name, or is there: a pin does not move what runs. The hub itself has a
 * reason of its own.
 */
function isOpenByName({ clusters, present }: PlacementInputs, cluster: string): boolean {
  const facts = clusters[cluster];
  return facts !== undefined && (facts.mayPin || facts.isHub || cluster === present);
}

function rank(inputs: PlacementInputs, clusters: readonly string[]): DecisionCandidate[] {
  const candidates = clusters.map((cluster) => ({
    cluster,
    score: inputs.scores[cluster] ?? 0,
    capps: inputs.load[cluster] ?? 0,
  }));
  return candidates.toSorted(
    (a, b) =>
      staying(inputs, b) - staying(inputs, a) ||
      planned(inputs, b) - planned(inputs, a) ||
      b.score - a.score ||
      a.capps - b.capps ||
      (a.cluster < b.cluster ? -1 : 1),
  );
}

function staying(inputs: PlacementInputs, candidate: DecisionCandidate): number {
  return candidate.cluster === inputs.present ? 1 : 0;
}

function planned(inputs: PlacementInputs, { cluster }: DecisionCandidate): number {
  return cluster === inputs.planned ? 1 : 0;
}

function reasonFor(inputs: PlacementInputs, winner: DecisionCandidate, pinned: boolean): string {
  if (pinned) return 'Pinned';
  return winner.cluster === inputs.present ? 'Stays' : 'Chosen';
}

function messageFor(winner: DecisionCandidate, pool: Pool): string {
  return pool.placement === null
    ? `spec.site names ${winner.cluster}`
    : `Placement ${pool.placement} decided for ${winner.cluster}`;
}

function noneReason(pool: Pool, excluded: readonly Excluded[]): NoneReason {
  // Nothing was considered: the one site that it may go to is selected no more.
  if (excluded.length === 0) return 'NoCandidate';
  if (excluded.every((entry) => entry.reason === 'Hub')) return 'SelfManaged';
  if (excluded.every((entry) => entry.reason === 'NotAccepted')) return 'NotAccepted';
  if (excluded.every((entry) => entry.reason === 'Draining')) return 'Draining';
  return pool.placement === null && excluded.some((entry) => entry.reason === 'Removed')
    ? 'SiteRemoved'
    : 'NoCandidate';
}

function none(inputs: PlacementInputs, reason: NoneReason, pool: Pool, now: number): Selection {
  const { excluded } = sift(inputs, considered(inputs, pool), now);
  const record = decisionRecord({ cluster: null, reason, placement: pool.placement }, [], excluded, now);
  return { cluster: null, reason, message: describeNone(reason, inputs, excluded), record };
}

const NAMED = 10;

function decisionRecord(
  outcome: Pick<DecisionRecord, 'cluster' | 'reason' | 'placement'>,
  ranked: readonly DecisionCandidate[],
  excluded: readonly Excluded[],
  now: number,
): DecisionRecord {
  return { at: new Date(now).toISOString(), ...outcome, candidates: ranked.slice(0, NAMED), excluded };
}
