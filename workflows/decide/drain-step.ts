// What a drain does next: a pure function of its state and the time.
import type { DrainState, Waiting } from '../drain-state.ts';

export type DrainStep =
  /** Let some go, and tell others that they have to wait. */
  | { readonly do: 'answer'; readonly go: readonly Waiting[]; readonly wait: readonly Waiting[] }
  /** Read the next page of Capps on the cluster. */
  | { readonly do: 'list' }
  /** Nothing to do until somebody speaks, or until `until` if that is not null. */
  | { readonly do: 'rest'; readonly until: number | null }
  | { readonly do: 'end' };

/** A Capp under way that has not been heard of after so many milliseconds holds up the next no longer. */
export const LANE_MS = 15 * 60_000;
/** A Capp that asks goes alone after 30 s without an answer; most are let go sooner than that, and need but one. */
const ANSWER_MS = 10_000;
/** A drain that Capps began ends when none has been heard of for so long. */
export const LINGER_MS = 60_000;
const SECOND_MS = 1_000;
/** More Capps are read when fewer than this many wait. */
const LOW = 50;
/** Of those that ask no more are kept waiting: the others ask again in a while. */
export const MOST_WAITING = 5_000;

export function drainStep(state: DrainState, now: number): DrainStep {
  const go = state.paused || state.stopped ? [] : mayGo(state, now);
  const wait = mustWait(state, go, now);
  if (go.length > 0 || wait.length > 0) return { do: 'answer', go, wait };
  if (state.stopped || (isIdle(state) && now >= endsAt(state))) return { do: 'end' };
  if (wantsPage(state) && now >= (state.listing?.notBefore ?? 0)) return { do: 'list' };
  return { do: 'rest', until: wakesAt(state, now) };
}

/** The first in order that fit into the lanes. One whose target is busy lets others pass. */
function mayGo(state: DrainState, now: number): Waiting[] {
  const { lanes, going, waiting } = state;
  const underWay = Object.values(going);
  const onTheWayTo = new Map<string, number>();
  const count = (to: string | null): void => void (to !== null && onTheWayTo.set(to, (onTheWayTo.get(to) ?? 0) + 1));
  for (const { to } of underWay) count(to);
  const room = Math.min(lanes.width - underWay.length, lanes.ratePerSecond - begunInSecond(state, now));
  const go: Waiting[] = [];
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

/** Whoever would otherwise go alone. Those that are too many to be remembered have to ask again. */
function mustWait({ paused, stopped, waiting }: DrainState, go: readonly Waiting[], now: number): Waiting[] {
  const going = new Set(go);
  const isLate = (askedAt: number): boolean => paused || stopped || now >= askedAt + ANSWER_MS;
  return waiting.filter((one, index) => {
    if (one.askedAt === null || going.has(one)) return false;
    return (!one.isTold && isLate(one.askedAt)) || index >= MOST_WAITING;
  });
}

function wantsPage({ listing, paused, waiting }: DrainState): boolean {
  return listing !== null && !paused && waiting.length < LOW;
}

function isIdle({ going, listing, paused, waiting }: DrainState): boolean {
  return waiting.length === 0 && Object.keys(going).length === 0 && listing === null && !paused;
}

/** A person's drain has seen all of them: it need not wait for more. */
function endsAt({ everything, heardAt }: DrainState): number {
  return everything ? heardAt : heardAt + LINGER_MS;
}

function wakesAt(state: DrainState, now: number): number | null {
  const { going, lanes, listing, paused, second, waiting } = state;
  const times = Object.values(going).map(({ since }) => since + LANE_MS);
  for (const { askedAt, isTold } of waiting) if (askedAt !== null && !isTold) times.push(askedAt + ANSWER_MS);
  if (wantsPage(state) && listing !== null) times.push(listing.notBefore);
  const isRateSpent = !paused && waiting.length > 0 && begunInSecond(state, now) >= lanes.ratePerSecond;
  if (isRateSpent) times.push(second.since + SECOND_MS);
  if (isIdle(state)) times.push(endsAt(state));
  return times.length === 0 ? null : Math.min(...times);
}
