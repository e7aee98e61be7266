// Where the Capps on a cluster would go if all were told to leave, by the same review and choice that move
// them. Pure.
import type { Request } from '../../types/moves.ts';
import type { Resident } from '../residents.ts';
import type { Place } from '../state.ts';
import { clock } from '../../types/clock.ts';
import { review } from '../../placement/review.ts';
import { type PlacementHistory } from '../../placement/outcome.ts';
import { type Rules } from '../../placement/outcome.ts';
import type { PlacedInputs, PlacementInputs } from '../../placement/inputs.ts';

/** The part of the inputs that is the same for every Capp. */
export type Ground = Pick<
  PlacementInputs,
  'config' | 'placements' | 'placementsNamespace' | 'byPlacement' | 'clusters' | 'load'
>;

/** A Capp with a copy on the cluster, and what a review of it rests on. */
export interface Subject extends Place, Pick<PlacementInputs, 'site' | 'works' | 'scores'> {
  readonly history: Omit<PlacementHistory, 'request'>;
  readonly rules: Rules;
  /** When it last moved, in milliseconds since the epoch. */
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

/** True for a drain order; otherwise the Capps are reviewed as they are. */
export interface Wanted {
  readonly everything: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Plan {
  readonly cluster: string;
  readonly at: string;
  readonly capps: number;
  /** Target → how many would go there. */
  readonly moves: Readonly<Record<string, number>>;
  /** The most frequent reason first. */
  readonly stays: readonly Staying[];
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

const TOLD: Request = { source: 'drain', id: 'plan', to: null, by: 'a drain', why: '', force: false };

/**
 * Takes the Capps in the order in which they would go: each counts at its target before the next is reviewed.
 */
export function* fatesOf(
  cluster: string,
  ground: Ground,
  subjects: Iterable<Subject>,
  wanted: Wanted,
): Generator<Fate> {
  const load: Record<string, number> = { ...ground.load };
  for (const subject of subjects) {
    const { site, works, scores } = subject;
    const fate = fateOf(
      { ...ground, load, site, works, scores, present: cluster, avoid: {} },
      subject,
      wanted,
    );
    if (fate.to !== null) load[fate.to] = (load[fate.to] ?? 0) + 1;
    yield fate;
  }
}

function fateOf(inputs: PlacedInputs, subject: Subject, { everything, now }: Wanted): Fate {
  const { namespace, name, priority, fixed, history, rules } = subject;
  const who = { namespace, name, priority, to: null };
  if (fixed !== null) return { ...who, why: fixed.reason, ...fixed };
  if (!everything)
    return {
      ...who,
      why: ownReason(inputs, subject, now),
      reason: 'NotAsked',
      message: 'No drain order told it to leave.',
    };
  const look = review(inputs, { ...history, request: TOLD }, rules, now);
  if (look.goes && look.to !== null)
    return { ...who, to: look.to, why: null, reason: look.reason, message: look.message };
  const { reason, message } = look.handled ?? look;
  return { ...who, why: null, reason, message };
}

/** Why a Capp that no order told to leave is on the cluster, and until when if that is known. */
function ownReason(inputs: PlacedInputs, { movedAt, rules, history }: Subject, now: number): string {
  const look = review(inputs, { ...history, request: null }, rules, now);
  if (!look.goes) return look.reason;
  const cool = (movedAt ?? -Infinity) + look.terms.cooldownMs;
  if (now < cool) return `CoolDown until ${clock(cool)}`;
  if (look.to === null) return 'NoCandidate';
  return look.terms.holdMs > 0 ? 'Stabilising' : 'NotGoneYet';
}

export function planOf(cluster: string, fates: readonly Fate[], now: number): Plan {
  const moves: Record<string, number> = {};
  const byReason = new Map<string, Fate[]>();
  for (const fate of fates) {
    if (fate.to === null) group(byReason, fate);
    else moves[fate.to] = (moves[fate.to] ?? 0) + 1;
  }
  const groups = [...byReason.values()].toSorted((a, b) => b.length - a.length);
  return { cluster, at: new Date(now).toISOString(), capps: fates.length, moves, stays: staying(groups) };
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
