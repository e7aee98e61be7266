// What a state becomes while a Capp leaves one site for another: pure.
import type { Choice } from '../ports.ts';
import { isLost, type Handled, type Leave, type Move, type MoveRecord, type Permit, type Request } from '../moves.ts';
import type { Copy, State } from '../state.ts';
import { isHealthy, NEW_COPY } from './copies.ts';

/** A site that failed a Capp is left alone this long, in milliseconds. */
const AVOID_MS = 600_000;

type Looked = Extract<Choice, { outcome: 'Stays' | 'Leaves' }>;

/** A person's wish is noted down; the next look answers it. The newest wins. */
export function wished(state: State, request: Request): State {
  return { ...state, request };
}

/** What a look at a Capp that has a site came to. */
export function afterLook(state: State, look: Looked, now: number): State {
  const answered = withAnswer(
    { ...state, pause: null, generation: Math.max(state.generation, look.generation), troubled: look.troubled },
    look.handled,
  );
  if (look.outcome === 'Stays') {
    const isCancelled = look.handled?.reason === 'AlreadyThere' && answered.move !== null;
    const stays = look.reason === 'NotMoving' ? null : { reason: look.reason, message: look.message };
    const there = { ...answered, placedFor: look.site, leave: null, stays };
    return isCancelled ? abandoned(there, now, 'Cancelled') : there;
  }
  return leaving({ ...answered, stays: null }, look, now);
}

function leaving(state: State, look: Extract<Looked, { outcome: 'Leaves' }>, now: number): State {
  const { serving, move } = state;
  if (serving === null) return state;
  const isSame = state.leave?.from === serving && state.leave.reason === look.reason && look.request === null;
  const { reason, message, to, terms, request, priority } = look;
  const before = isSame ? state.leave : null;
  const leave: Leave = {
    from: serving,
    reason,
    message,
    to,
    terms,
    request,
    priority,
    since: before?.since ?? now,
    asOf: now,
    permit: before?.permit ?? null,
  };
  if (move !== null && move.to === to) return state;
  if (move !== null && request === null) return { ...state, leave };
  return move === null ? { ...state, leave } : { ...abandoned(state, now, 'Cancelled'), leave };
}

function withAnswer(state: State, handled: Handled | null): State {
  if (handled === null) return state;
  const { source, id } = handled;
  const annotated = source === 'migrate' || source === 'force' ? { ...state.annotated, [source]: id } : state.annotated;
  const isAnswered = state.request?.source === source && state.request.id === id;
  return { ...state, handled, annotated, request: isAnswered ? null : state.request };
}

export function afterPetition(state: State, permit: Permit): State {
  return state.leave === null ? state : { ...state, leave: { ...state.leave, permit } };
}

/** A drain's answer; one that nobody waits for any more is not heard. */
export function permitted(state: State, from: string, answer: 'Go' | 'Wait'): State {
  const { leave } = state;
  if (leave?.from !== from || leave.permit === null) return state;
  return { ...state, leave: { ...leave, permit: { ...leave.permit, answer } } };
}

/** The Capp goes: from now on a second copy is wanted, or with `Recreate` the only one elsewhere. */
export function begun(state: State, now: number): State {
  const { leave } = state;
  if (leave === null || leave.to === null) return state;
  const { from, to, reason, message, terms, request } = leave;
  const move: Move = {
    from,
    to,
    reason,
    message,
    since: now,
    deadline: now + terms.deadlineMs,
    strategy: terms.strategy,
    request,
    confirmation: 'Due',
    inBulk: leave.permit !== null || request?.source === 'drain',
  };
  const pin = reason === 'Asked' ? (request?.to ?? null) : state.pin;
  if (move.strategy === 'Recreate') return { ...state, move, pin, leave: null, copies: unwanted(state.copies, from) };
  const known = state.copies[to];
  return { ...state, move, pin, leave: null, copies: { ...state.copies, [to]: { ...(known ?? NEW_COPY), wanted: true } } };
}

function unwanted(copies: State['copies'], cluster: string): State['copies'] {
  const copy = copies[cluster];
  return copy === undefined ? copies : { ...copies, [cluster]: { ...copy, wanted: false } };
}

/** Users are sent to the new copy. */
export function switched(state: State): State {
  const { move } = state;
  if (move === null) return state;
  const copies = state.copies[move.to] === undefined ? { ...state.copies, [move.to]: NEW_COPY } : state.copies;
  const placing = { reason: 'Chosen', message: `Moved from ${move.from} to ${move.to}: ${move.message}` };
  return { ...state, serving: move.to, copies, placing, refused: null };
}

/** The new copy's agent is asked once more, after users were sent there. */
export function confirming(state: State): State {
  return state.move === null ? state : { ...state, move: { ...state.move, confirmation: 'Asked' } };
}

/** It has said that the new copy is as it should be: the old copy may go. */
export function confirmed(state: State): State {
  const { move } = state;
  if (move === null || state.serving !== move.to || move.confirmation !== 'Asked' || !isHealthy(state.copies[move.to])) return state;
  return { ...state, move: { ...move, confirmation: 'Given' }, copies: unwanted(state.copies, move.from) };
}

/** The new copy is not to be: it goes, and where the Capp is stays as it was. A site that failed is avoided for a while. */
export function abandoned(state: State, now: number, result: 'Failed' | 'Cancelled'): State {
  const { move } = state;
  if (move === null) return state;
  const avoid = result === 'Failed' && !isAppsFault(state, move) ? { ...state.avoid, [move.to]: now + AVOID_MS } : state.avoid;
  const ended = { ...state, move: null, avoid, lastMove: recordOf(move, result, now), due: withDecision(state), reviewed: 0 };
  return state.serving === move.to ? ended : { ...ended, copies: unwanted(state.copies, move.to) };
}

/** The same generation fails where it comes from, too: no site is to blame. */
function isAppsFault(state: State, { from }: Move): boolean {
  const old: Copy | undefined = state.copies[from];
  return state.refused !== null || (old?.finding?.verdict === 'Failed' && old.generation === state.generation);
}

/** Whether to leave, and where to, is looked at anew. */
function withDecision(state: State): State['due'] {
  return state.due.includes('decision') ? state.due : [...state.due, 'decision'];
}

/** The old copy's work is deleted; what the site has still to clean up is `leaving`. */
export function arrived(state: State, now: number): State {
  const { move } = state;
  if (move === null) return state;
  return { ...state, move: null, lastMove: recordOf(move, 'Moved', now) };
}

function recordOf({ from, to, reason, since, request }: Move, result: MoveRecord['result'], at: number): MoveRecord {
  return { from, to, reason, result, since, at, request: request?.id ?? null };
}

/** The site that the Capp was driven from, to which it may go back. */
export function homeOf({ lastMove, serving }: Pick<State, 'lastMove' | 'serving'>): string | null {
  if (lastMove === null || lastMove.result !== 'Moved' || lastMove.to !== serving) return null;
  return isLost(lastMove.reason) || lastMove.reason === 'Tainted' || lastMove.reason === 'NotSelected' ? lastMove.from : null;
}
