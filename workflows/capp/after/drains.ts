// What a Capp must still report to drains. A drain that was asked for a turn, or that told the Capp to leave,
// waits for the outcome. Pure.
import type { AwaitingDrain } from '../../types/moves.ts';
import { rungFor } from '../../types/ring.ts';
import type { State } from '../state.ts';
import type { LeaveOrder, Settled } from '../../types/turns.ts';
import { clock } from '../../types/clock.ts';
import { isHeldBack } from '../facts/copies.ts';
import { withRing } from './rings.ts';
import { gateOf } from '../facts/gates.ts';
import { lookingAgain, requested } from './moving/moved.ts';

/** A report that is due to the drain of a cluster. */
export interface ForDrain {
  readonly cluster: string;
  readonly debt: AwaitingDrain;
  readonly news: Settled;
}

/**
 * The drain of the cluster waits for the Capp from now on. `request` is the request that it waits for, if
 * there is one.
 */
export function awaited(state: State, cluster: string, now: number, request: string | null = null): State {
  const before = state.awaitedBy?.[cluster];
  const debt: AwaitingDrain = { since: before?.since ?? now, request: request ?? before?.request ?? null };
  return { ...state, awaitedBy: { ...state.awaitedBy, [cluster]: debt } };
}

/**
 * A drain tells the Capp to leave. If it is leaving already, nothing changes, and the drain gets the outcome.
 */
export function toldToLeave(state: State, { cluster, to }: LeaveOrder, now: number): State {
  const { leave, move, request, ringsHeard, serving } = state;
  if (move?.from === cluster || serving !== cluster) return awaited(state, cluster, now);
  const pending = request ?? (leave?.from === cluster ? leave.request : null);
  if (pending !== null) return awaited(state, cluster, now, pending.id);
  const asking = {
    source: 'drain',
    id: `drain-${ringsHeard + 1}`,
    to: null,
    ...(to === undefined ? {} : { planned: to }),
    by: `drain/${cluster}`,
    why: '',
    force: false,
  } as const;
  return awaited(withRing(requested(state, asking), rungFor('request')), cluster, now, asking.id);
}

/** Drains that wait for a Capp which is no longer leaving their cluster. */
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
 * The drain has been told. It waits for nothing any more, and a turn or an order that was not used expires.
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
 * Whether the Capp moves from there, or will without waiting for anything but its turn or a look that is due.
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
