// What a drain does next: a pure function of its state and the time.
import type { DrainState, WaitingCapp } from '../state.ts';
import type { DrainAnswer } from '../residents.ts';
import { widensAt, widthAt } from './width.ts';

export type DrainStep =
  /** Give some their turn, and tell others to wait: a hundred at once at most. */
  | { readonly do: 'answer'; readonly go: readonly WaitingCapp[]; readonly wait: readonly WaitingCapp[] }
  /** Read a page of the Capps on the cluster: the next, or the first of another look. */
  | { readonly do: 'list' }
  /** Nothing to do until a message, or until `until` if that is not null. */
  | { readonly do: 'rest'; readonly until: number | null }
  | { readonly do: 'end' };

/** After this many milliseconds without a message, a Capp under way does not hold a lane any longer. */
export const LANE_MS = 15 * 60_000;
/**
 * A Capp that has asked leaves without a turn after 30 s, so it is answered before. Most get their turn
 * sooner, and then need no other answer.
 */
const ANSWER_MS = 10_000;
/** A drain that Capps began ends after this long without a message. */
export const LINGER_MS = 60_000;
/** How long the hub's caches mostly take to show what Capps have reported. */
const SETTLE_MS = 2_000;
export const SECOND_MS = 1_000;
/**
 * How many Capps are told at once: all of them get the message within seconds, or the drain knows which did
 * not.
 */
const BATCH = 100;
/** The next page is read when fewer than this many Capps wait. */
const LOW = 50;
/** At most this many Capps that asked are kept waiting. The others ask again later. */
export const MOST_WAITING = 5_000;

/** What the drain does next. Pure. */
export function drainStep(state: DrainState, now: number): DrainStep {
  const free = state.paused || state.stopped || isBlind(state, now) ? [] : mayGo(state, now);
  const go = free.slice(0, BATCH);
  const wait = mustWait(state, free, now).slice(0, BATCH - go.length);
  if (go.length > 0 || wait.length > 0) return { do: 'answer', go, wait };
  const isOver = state.stopped || (isIdle(state) && state.isClear);
  // What its Drain says now may be another order.
  if (isOver) return state.isRung === true ? { do: 'rest', until: null } : { do: 'end' };
  const look = looksAt(state);
  return look !== null && now >= look ? { do: 'list' } : { do: 'rest', until: wakesAt(state, now) };
}

/** The Drain of the cluster has still to be read, which may say that the drain is paused. */
function isBlind({ readBy }: DrainState, now: number): boolean {
  return readBy !== undefined && now < readBy;
}

/** A Capp that has not asked is told where to: it goes where the plan said, if it still may. */
export function answersFor({ go, wait }: Extract<DrainStep, { do: 'answer' }>): DrainAnswer[] {
  const permits = go.map(({ capp, to, askedAt }): DrainAnswer => {
    if (askedAt !== null) return { capp, say: 'Go' };
    return to === null ? { capp, say: 'Leave' } : { capp, say: 'Leave', to };
  });
  return [...permits, ...wait.map(({ capp }) => ({ capp, say: 'Wait' as const }))];
}

/** The first Capps in order that fit into the lanes. A Capp whose target is busy lets others pass. */
function mayGo(state: DrainState, now: number): WaitingCapp[] {
  const { lanes, going, waiting } = state;
  const underWay = Object.values(going);
  const onTheWayTo = new Map<string, number>();
  const count = (to: string | null): void =>
    void (to !== null && onTheWayTo.set(to, (onTheWayTo.get(to) ?? 0) + 1));
  for (const { to } of underWay) count(to);
  const room = Math.min(
    widthAt(state, now) - underWay.length,
    lanes.ratePerSecond - begunInSecond(state, now),
  );
  const go: WaitingCapp[] = [];
  for (const one of waiting) {
    if (go.length >= room) break;
    if (one.to !== null && (onTheWayTo.get(one.to) ?? 0) >= lanes.perTarget) continue;
    count(one.to);
    go.push(one);
  }
  return go;
}

function begunInSecond({ second }: DrainState, now: number): number {
  return now < second.since + SECOND_MS ? second.count : 0;
}

/** Capps that would otherwise leave without a turn. Those beyond the limit have to ask again. */
function mustWait(
  { paused, stopped, waiting }: DrainState,
  go: readonly WaitingCapp[],
  now: number,
): WaitingCapp[] {
  const going = new Set(go);
  const isLate = (askedAt: number): boolean => paused || stopped || now >= askedAt + ANSWER_MS;
  return waiting.filter((one, index) => {
    if (one.askedAt === null || going.has(one)) return false;
    return (!one.isTold && isLate(one.askedAt)) || index >= MOST_WAITING;
  });
}

/**
 * When to read the next page, or null: while few wait, and once more when all have settled. Until its Drain
 * has been read, a drain does not know whose order it carries out.
 */
function looksAt(state: DrainState): number | null {
  const { everything, heardAt, listing, lookAt, paused, readBy, waiting } = state;
  if (listing !== null) return paused || waiting.length >= LOW ? null : listing.notBefore;
  if (!isIdle(state) || readBy !== undefined) return null;
  return Math.max(lookAt, heardAt + (everything ? SETTLE_MS : LINGER_MS));
}

function isIdle({ going, listing, paused, waiting }: DrainState): boolean {
  return waiting.length === 0 && Object.keys(going).length === 0 && listing === null && !paused;
}

function wakesAt(state: DrainState, now: number): number | null {
  const { going, lanes, paused, readBy, second, waiting } = state;
  const times = Object.values(going).map(({ since }) => since + LANE_MS);
  if (readBy !== undefined && isBlind(state, now) && waiting.length > 0) times.push(readBy);
  for (const { askedAt, isTold } of waiting) if (askedAt !== null && !isTold) times.push(askedAt + ANSWER_MS);
  const look = looksAt(state);
  if (look !== null) times.push(look);
  const isRateSpent = !paused && waiting.length > 0 && begunInSecond(state, now) >= lanes.ratePerSecond;
  if (isRateSpent) times.push(second.since + SECOND_MS);
  const wider = paused || waiting.length === 0 ? null : widensAt(state, now);
  if (wider !== null) times.push(wider);
  return times.length === 0 ? null : Math.min(...times);
}
