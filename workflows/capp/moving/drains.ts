// What a Capp must still tell drains. A drain that was asked for a turn, or that told the Capp to leave,
// waits until it hears the outcome. Pure.
import type { AwaitingDrain } from '../../types/moves.ts';
import { rungFor } from '../../types/ring.ts';
import type { State } from '../state.ts';
import type { Settled } from '../../types/turns.ts';
import { clock } from '../../types/clock.ts';
import { isHeldBack } from '../decide/copies.ts';
import { withRing } from '../decide/rings.ts';
import { gateOf } from './leave.ts';
import { lookingAgain, requested } from './moved.ts';

/** What the drain of a cluster is to be told. */
export interface ForDrain {
  readonly cluster: string;
  readonly debt: AwaitingDrain;
  readonly news: Settled;
}

/**
 * The drain of the cluster counts on the Capp from now on; `request` is what it waits for, if that is one.
 */
export function awaited(state: State, cluster: string, now: number, request: string | null = null): State {
  const before = state.awaitedBy?.[cluster];
  const debt: AwaitingDrain = { since: before?.since ?? now, request: request ?? before?.request ?? null };
  return { ...state, awaitedBy: { ...state.awaitedBy, [cluster]: debt } };
}

/**
 * A drain tells it to leave. One that is leaving already goes as it is: nothing is asked of it, and the drain
 * hears how that ends.
 */
export function toldToLeave(state: State, cluster: string, now: number): State {
  const { leave, move, request, ringsHeard, serving } = state;
  if (move?.from === cluster || serving !== cluster) return awaited(state, cluster, now);
  const pending = request ?? (leave?.from === cluster ? leave.request : null);
  if (pending !== null) return awaited(state, cluster, now, pending.id);
  const asking = {
    source: 'drain',
    id: `drain-${ringsHeard + 1}`,
    to: null,
    by: `drain/${cluster}`,
    why: '',
    force: false,
  } as const;
  return awaited(withRing(requested(state, asking), rungFor('request')), cluster, now, asking.id);
}

/** Whoever counts on a Capp that is not on its way from there any more. */
export function newsDue(state: State, now: number): ForDrain[] {
  const awaitedBy = Object.entries(state.awaitedBy ?? {}).filter(
    ([cluster]) => !isGoing(state, cluster, now),
  );
  return awaitedBy.map(([cluster, debt]) => ({
    cluster,
    debt,
    news: newsFor(state, { cluster, debt, now }),
  }));
}

/**
 * It has been told: nothing is awaitedBy any more, and a turn or an order that was not used counts for
 * nothing.
 */
export function told(state: State, { cluster, debt }: Pick<ForDrain, 'cluster' | 'debt'>): State {
  if (state.awaitedBy?.[cluster] !== debt) return state;
  const { [cluster]: _told, ...awaitedBy } = state.awaitedBy;
  const isDrains = (one: State['request'] | undefined): boolean =>
    one?.source === 'drain' && one.id === debt.request;
  const known = { ...state, awaitedBy, request: isDrains(state.request) ? null : state.request };
  const { leave } = known;
  if (leave === null || leave.from !== cluster) return known;
  if (isDrains(leave.request)) return { ...lookingAgain(known), leave: null };
  return leave.permit === null ? known : { ...known, leave: { ...leave, permit: null } };
}

/**
 * It moves from there, or will as soon as it can, without waiting for anything but its turn or a look that is
 * about to be made.
 */
function isGoing(state: State, cluster: string, now: number): boolean {
  const { leave, move, paused, request, retiring, serving } = state;
  if (retiring || paused) return false;
  if (move?.from === cluster) return !isHeldBack(state);
  if (serving !== cluster) return false;
  if (request !== null) return true;
  if (leave === null || leave.from !== cluster) return false;
  const gate = gateOf(state, now);
  return gate === null || gate.reason === 'PermitAsked';
}

interface Owed {
  readonly cluster: string;
  readonly debt: AwaitingDrain;
  readonly now: number;
}

function newsFor(state: State, { cluster, debt, now }: Owed): Settled {
  const { capp, lastMove } = state;
  const { namespace, name } = capp;
  if (lastMove?.from === cluster && lastMove.at >= debt.since && state.move?.from !== cluster)
    return { namespace, name, outcome: lastMove.result, to: lastMove.to, reason: lastMove.reason };
  return { namespace, name, outcome: 'Stayed', to: null, reason: whyNot(state, { cluster, debt, now }) };
}

function whyNot(state: State, { cluster, debt, now }: Owed): string {
  const { handled, move, paused, retiring, serving, stays } = state;
  if (retiring) return 'Deleting';
  if (serving !== cluster && move?.from !== cluster) return 'Elsewhere';
  if (paused) return 'Paused';
  if (move?.from === cluster) return 'AwaitsConfirmation';
  if (handled?.outcome === 'Refused' && handled.id === debt.request) return handled.reason;
  return shutGate(state, now) ?? stays?.reason ?? 'NotMoving';
}

function shutGate(state: State, now: number): string | null {
  const gate = gateOf(state, now);
  if (gate === null) return null;
  return gate.until === null ? gate.reason : `${gate.reason} until ${clock(gate.until)}`;
}
