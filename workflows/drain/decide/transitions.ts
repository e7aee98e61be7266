// The drain's state after each message and step. Pure.
import type { DrainState, WaitingCapp } from '../state.ts';
import type { TurnRequest, Settled } from '../../types/turns.ts';
import { type DrainStep, LANE_MS, MOST_WAITING, SECOND_MS } from './step.ts';
import { staying, withoutStay, withStay } from './stays.ts';

/** How many Capps are remembered as counted: a repeat comes within seconds, or after the Capp's next step. */
const MOST_COUNTED = 100;

type Answer = Extract<DrainStep, { do: 'answer' }>;

/**
 * A Capp asks for its turn. A repeat is the same request, still to be answered. A Capp that has its turn and
 * asks has not left.
 */
export function withTurnRequest(
  state: DrainState,
  { namespace, name, to, priority }: TurnRequest,
  now: number,
): DrainState {
  const capp = `${namespace}/${name}`;
  const asking: WaitingCapp = { capp, to, priority, askedAt: now, isTold: false };
  const index = state.waiting.findIndex((one) => one.capp === capp);
  const heard = { ...withoutStay(state, capp), isClear: false, heardAt: now };
  if (state.waiting[index]?.priority === priority)
    return { ...heard, waiting: state.waiting.with(index, asking) };
  const rest = without(heard, capp);
  return { ...rest, waiting: queued(rest.waiting, asking) };
}

/** Inserts behind all that have the same or a higher priority. */
export function queued(waiting: readonly WaitingCapp[], one: WaitingCapp): WaitingCapp[] {
  const index = waiting.findIndex(({ priority }) => priority < one.priority);
  return index < 0 ? [...waiting, one] : waiting.toSpliced(index, 0, one);
}

/** Some got their turn, others were told to wait. */
export function answeredTo(state: DrainState, { go, wait }: Answer, now: number): DrainState {
  const gone = new Set(go);
  const told = new Set(wait);
  const waiting = state.waiting
    .filter((one) => !gone.has(one))
    .map((one) => (told.has(one) ? { ...one, isTold: true } : one));
  const going = Object.fromEntries(
    go.map(({ capp, to, askedAt }) => [capp, { to, since: now, isAsked: askedAt !== null }]),
  );
  const isSameSecond = now < state.second.since + SECOND_MS;
  const second = isSameSecond
    ? { ...state.second, count: state.second.count + go.length }
    : { since: now, count: go.length };
  return {
    ...state,
    waiting: waiting.filter(
      ({ askedAt, isTold }, index) => askedAt === null || !isTold || index < MOST_WAITING,
    ),
    going: { ...state.going, ...going },
    second,
  };
}

/**
 * Capps in `untold` may not have got the message: they wait as before, in front of all with the same
 * priority. A second message has no effect.
 */
export function unanswered(state: DrainState, { go, wait }: Answer, untold: readonly string[]): DrainState {
  const notTold = new Set(untold);
  const missed = go.filter(({ capp }) => notTold.has(capp) && Object.hasOwn(state.going, capp));
  const returned = new Set(missed.map(({ capp }) => capp));
  // The order has been taken back meanwhile: nobody is told to leave any more.
  const back = missed.filter(({ askedAt }) => state.everything || askedAt !== null);
  const going = Object.fromEntries(Object.entries(state.going).filter(([capp]) => !returned.has(capp)));
  const again = new Set(wait.filter(({ capp }) => notTold.has(capp)).map(({ capp }) => capp));
  const waiting = state.waiting.map((one) => (again.has(one.capp) ? { ...one, isTold: false } : one));
  return { ...state, going, waiting: [...back, ...waiting].toSorted((a, b) => b.priority - a.priority) };
}

/** A Capp reports its outcome, whether or not it had its turn. A repeat counts once. */
export function settled(
  state: DrainState,
  { namespace, name, outcome, reason }: Settled,
  now: number,
): DrainState {
  const capp = `${namespace}/${name}`;
  const rest = { ...without(state, capp), heardAt: now };
  if (outcome === 'Moved') return isCounted(state, capp) ? rest : counted(withoutStay(rest, capp), capp);
  return isAnswer(state, capp)
    ? withStay(rest, capp, outcome === 'Stayed' ? reason : outcome)
    : withoutStay(rest, capp);
}

/** The Capp has not asked or been told to leave since it was counted as moved. */
function isCounted(state: DrainState, capp: string): boolean {
  const { counted: known = [], going, waiting } = state;
  const isOn = Object.hasOwn(going, capp) || waiting.some((one) => one.capp === capp);
  return known.includes(capp) && !isOn && !Object.hasOwn(staying(state), capp);
}

function counted(state: DrainState, capp: string): DrainState {
  const others = (state.counted ?? []).filter((one) => one !== capp);
  return { ...state, moved: state.moved + 1, counted: [...others, capp].slice(-MOST_COUNTED) };
}

/**
 * The outcome of a Capp that had asked by itself does not answer a Drain: the next listing tells the
 * Capp to leave.
 */
function isAnswer({ everything, going, waiting }: DrainState, capp: string): boolean {
  return (
    !everything ||
    (going[capp]?.isAsked !== true && waiting.every((one) => one.capp !== capp || one.askedAt === null))
  );
}

/** No such workflow runs: the Capp has been deleted. A Capp that has settled meanwhile is counted already. */
export function vanished(state: DrainState, capp: string, now: number): DrainState {
  if (!Object.hasOwn(state.going, capp) && state.waiting.every((one) => one.capp !== capp)) return state;
  return withStay({ ...without(state, capp), heardAt: now }, capp, 'Gone');
}

/** Capps without a message for too long do not hold lanes any longer. */
export function withoutOverdue(state: DrainState, now: number): DrainState {
  const overdue = Object.entries(state.going).filter(([, { since }]) => now >= since + LANE_MS);
  return overdue.reduce((next, [capp]) => {
    const rest = { ...without(next, capp), heardAt: now };
    return isAnswer(next, capp) ? withStay(rest, capp, 'Overdue') : withoutStay(rest, capp);
  }, state);
}

function without(state: DrainState, capp: string): DrainState {
  const { [capp]: gone, ...going } = state.going;
  const waiting = state.waiting.filter((one) => one.capp !== capp);
  return { ...state, waiting, going: gone === undefined ? state.going : going };
}
