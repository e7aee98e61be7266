// Where the Capps on a cluster would go if all were told to leave, by the same review and choice that move
// them. Pure.
import type { Request } from '../../types/moves.ts';
import type { Resident, Residents } from '../residents.ts';
import type { DrainPlace } from '../state.ts';
import { clock } from '../../types/clock.ts';
import { review } from '../../placement/review.ts';
import { type PlacementHistory } from '../../placement/outcome.ts';
import { type CappMoveRules } from '../../placement/outcome.ts';
import type { PlacedInputs, PlacementInputs } from '../../placement/inputs.ts';

/** The part of the inputs that is the same for every Capp. */
export type Ground = Pick<
  PlacementInputs,
  'config' | 'placements' | 'placementsNamespace' | 'byPlacement' | 'clusters' | 'load'
>;

/** A Capp with a copy on the cluster, and what a review of it rests on. */
export interface ReviewedCapp
  extends DrainPlace, Pick<PlacementInputs, 'site' | 'requires' | 'works' | 'scores'> {
  readonly history: Omit<PlacementHistory, 'request'>;
  readonly rules: CappMoveRules;
  /** When the Capp last moved, in milliseconds since the epoch. */
  readonly movedAt: number | null;
  /** Why the Capp is not reviewed; null for one that the cluster serves and that may move. */
  readonly fixed: Untold | null;
}

/** Why a Capp is not told to leave, and what it waits for. */
export interface Untold {
  readonly reason: string;
  readonly message: string;
}

/** Where a Capp would go; if `to` is null, why it would stay. */
export interface Fate extends Resident {
  readonly reason: string;
  readonly message: string;
}

export interface DrainPage {
  /** The page has only Capps behind this one; null for all. */
  readonly after: DrainPlace | null;
  /**
   * Capps on their way, and those that wait for their turn: they count at the targets that an earlier page
   * gave them. Null without a Drain, when Capps are reviewed as they are.
   */
  readonly bound: readonly PlannedMove[] | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface DecidedDrain {
  readonly cluster: string;
  readonly at: string;
  readonly capps: number;
  /** Target → how many would go there. */
  readonly moves: Readonly<Record<string, number>>;
  /** The first fifty of these, in the order in which they would go. */
  readonly first: readonly PlannedMove[];
  /** The most frequent reason first. */
  readonly stays: readonly Staying[];
}

/** A Capp on its way to a site, or that would go there; `to` is null where that is not known. */
export interface PlannedMove {
  readonly capp: string;
  readonly to: string | null;
}

/** Capps that would stay for one reason. */
export interface Staying {
  readonly reason: string;
  readonly count: number;
  /** The message of the first of them. */
  readonly message: string;
  /** A hundred at most, all reasons together. */
  readonly names: readonly string[];
}

const NAMED = 100;

/** How many Capps that go are named, with their targets. */
export const MOST_GOING = 50;

const TOLD: Request = { source: 'drain', id: 'plan', to: null, by: 'a drain', why: '', force: false };

/**
 * Takes the Capps in the order in which they would go: each counts at its target before the next is reviewed.
 */
export function* fatesOf(
  cluster: string,
  ground: Ground,
  subjects: readonly ReviewedCapp[],
  wanted: DrainPage,
): Generator<Fate> {
  const { after, bound } = wanted;
  const targets = new Map((bound ?? []).map(({ capp, to }) => [capp, to]));
  const load: Record<string, number> = { ...ground.load };
  const count = ({ works }: ReviewedCapp, to: string | null): void => {
    // A site that has its work already counts it.
    if (to !== null && works[to]?.leaving !== false) load[to] = (load[to] ?? 0) + 1;
  };
  for (const subject of subjects) count(subject, targets.get(keyOf(subject)) ?? null);
  for (const subject of subjects) {
    if (after !== null && compareTurns(after, subject) >= 0) continue;
    const to = targets.get(keyOf(subject)) ?? null;
    const fate = to === null ? reviewed(subject, { ...ground, load }, cluster, wanted) : going(subject, to);
    if (to === null) count(subject, fate.to);
    yield fate;
  }
}

function keyOf({ namespace, name }: DrainPlace): string {
  return `${namespace}/${name}`;
}

function going({ namespace, name, priority }: ReviewedCapp, to: string): Fate {
  const message = 'The drain has told it to leave, or is about to.';
  return { namespace, name, priority, to, why: null, reason: 'Asked', message };
}

function reviewed(subject: ReviewedCapp, ground: Ground, cluster: string, wanted: DrainPage): Fate {
  const { site, requires, works, scores } = subject;
  const asked = requires === undefined ? {} : { requires };
  const inputs = { ...ground, site, ...asked, works, scores, present: cluster, avoid: {} };
  const begun = begunOn(subject, cluster);
  return fateOf(begun === undefined ? inputs : { ...inputs, planned: begun }, subject, wanted);
}

/** Another site with a copy that stays: the Capp is on its way there. */
function begunOn({ works }: ReviewedCapp, cluster: string): string | undefined {
  return Object.keys(works).find((site) => site !== cluster && works[site]?.leaving === false);
}

/** The first of them, at most so many. */
export function pageOf(fates: Iterable<Fate>, size: number): Residents {
  const capps: Resident[] = [];
  for (const { namespace, name, priority, to, why } of fates) {
    if (capps.length === size) return { capps, isLast: false };
    capps.push({ namespace, name, priority, to, why });
  }
  return { capps, isLast: true };
}

/** The place of a Capp in the order of a drain. */
export function compareTurns(a: DrainPlace, b: DrainPlace): number {
  return b.priority - a.priority || order(a.namespace, b.namespace) || order(a.name, b.name);
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function fateOf(inputs: PlacedInputs, subject: ReviewedCapp, { bound, now }: DrainPage): Fate {
  const { namespace, name, priority, fixed, history, rules } = subject;
  const who = { namespace, name, priority, to: null };
  if (fixed !== null) return { ...who, why: fixed.reason, ...fixed };
  if (bound === null)
    return {
      ...who,
      why: ownReason(inputs, subject, now),
      reason: 'NotAsked',
      message: 'No Drain has it told to leave.',
    };
  const look = review(inputs, { ...history, request: TOLD }, rules, now);
  if (look.goes && look.to !== null)
    return { ...who, to: look.to, why: null, reason: look.reason, message: look.message };
  const { reason, message } = look.handled ?? look;
  // It is told once that site is free, and not refused every minute until then.
  return { ...who, why: reason === 'StillLeaving' ? reason : null, reason, message };
}

/** Why a Capp that no order told to leave is on the cluster, and until when if that is known. */
function ownReason(inputs: PlacedInputs, { movedAt, rules, history }: ReviewedCapp, now: number): string {
  const look = review(inputs, { ...history, request: null }, rules, now);
  if (!look.goes) return look.reason;
  const cool = (movedAt ?? -Infinity) + look.terms.cooldownMs;
  if (now < cool) return `CoolDown until ${clock(cool)}`;
  if (look.to === null) return 'NoCandidate';
  return look.terms.holdMs > 0 ? 'Stabilising' : 'NotGoneYet';
}

export function planOf(cluster: string, fates: readonly Fate[], now: number): DecidedDrain {
  const moves: Record<string, number> = {};
  const byReason = new Map<string, Fate[]>();
  for (const fate of fates) {
    if (fate.to === null) group(byReason, fate);
    else moves[fate.to] = (moves[fate.to] ?? 0) + 1;
  }
  const groups = [...byReason.values()].toSorted((a, b) => b.length - a.length);
  const first = fates
    .filter(({ to }) => to !== null)
    .slice(0, MOST_GOING)
    .map(({ namespace, name, to }) => ({ capp: `${namespace}/${name}`, to }));
  const at = new Date(now).toISOString();
  return { cluster, at, capps: fates.length, moves, first, stays: staying(groups) };
}

function group(byReason: Map<string, Fate[]>, fate: Fate): void {
  const known = byReason.get(fate.reason);
  if (known === undefined) byReason.set(fate.reason, [fate]);
  else known.push(fate);
}

/** Names of Capps with rare reasons come first among the hundred, because nobody would guess those. */
function staying(groups: readonly (readonly Fate[])[]): Staying[] {
  let room = NAMED;
  const named = groups.toReversed().map((group) => {
    const names = group.slice(0, room).map(({ namespace, name }) => `${namespace}/${name}`);
    room -= names.length;
    return { reason: group[0]?.reason ?? '', count: group.length, message: group[0]?.message ?? '', names };
  });
  return named.toReversed();
}
