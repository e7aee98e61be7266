// The drain's state after each message and step. Pure.
import type { DrainState, Waiting } from '../state.ts';
import type { TurnRequest, Settled } from '../../types/turns.ts';
import { LANE_MS, MOST_WAITING, type DrainStep } from './step.ts';
import { withoutStay, withStay } from './stays.ts';

type Answer = Extract<DrainStep, { do: 'answer' }>;

/**
 * A Capp asks for its turn. Asked twice it is one wish, which has yet to be answered; one that was let go and
 * asks has not gone.
 */
export function withTurnRequest(
  state: DrainState,
  { namespace, name, to, priority }: TurnRequest,
  now: number,
): DrainState {
  const capp = `${namespace}/${name}`;
  const asking: Waiting = { capp, to, priority, askedAt: now, isTold: false };
  const index = state.waiting.findIndex((one) => one.capp === capp);
  const heard = { ...withoutStay(state, capp), isClear: false, heardAt: now };
  if (state.waiting[index]?.priority === priority)
    return { ...heard, waiting: state.waiting.with(index, asking) };
  const rest = without(heard, capp);
  return { ...rest, waiting: queued(rest.waiting, asking) };
}

/** Behind all that are at least as urgent. */
export function queued(waiting: readonly Waiting[], one: Waiting): Waiting[] {
  const index = waiting.findIndex(({ priority }) => priority < one.priority);
  return index < 0 ? [...waiting, one] : waiting.toSpliced(index, 0, one);
}

/** Some were let go, others told to wait. */
export function answeredTo(state: DrainState, { go, wait }: Answer, now: number): DrainState {
  const gone = new Set(go);
  const told = new Set(wait);
  const waiting = state.waiting
    .filter((one) => !gone.has(one))
    .map((one) => (told.has(one) ? { ...one, isTold: true } : one));
  const going = Object.fromEntries(
    go.map(({ capp, to, askedAt }) => [capp, { to, since: now, isAsked: askedAt !== null }]),
  );
  const isSameSecond = now < state.second.since + 1_000;
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
 * `untold` may not have heard: they wait as before, in front of all that are as urgent. Some may hear twice,
 * which is as once.
 */
export function unanswered(state: DrainState, { go, wait }: Answer, untold: readonly string[]): DrainState {
  const notTold = new Set(untold);
  const back = go.filter(({ capp }) => notTold.has(capp) && Object.hasOwn(state.going, capp));
  const returned = new Set(back.map(({ capp }) => capp));
  const going = Object.fromEntries(Object.entries(state.going).filter(([capp]) => !returned.has(capp)));
  const again = new Set(wait.filter(({ capp }) => notTold.has(capp)).map(({ capp }) => capp));
  const waiting = state.waiting.map((one) => (again.has(one.capp) ? { ...one, isTold: false } : one));
  return { ...state, going, waiting: [...back, ...waiting].toSorted((a, b) => b.priority - a.priority) };
}

/** A Capp says what became of it, whether or not it had been let go. */
export function settled(
  state: DrainState,
  { namespace, name, outcome, reason }: Settled,
  now: number,
): DrainState {
  const capp = `${namespace}/${name}`;
  const rest = { ...without(state, capp), heardAt: now };
  if (outcome === 'Moved') return { ...withoutStay(rest, capp), moved: rest.moved + 1 };
  return isAnswer(state, capp)
    ? withStay(rest, capp, outcome === 'Stayed' ? reason : outcome)
    : withoutStay(rest, capp);
}

/**
 * What one that asked of its own accord says is no answer to a person who wants everything off: the next look
 * tells it to leave.
 */
function isAnswer({ everything, going, waiting }: DrainState, capp: string): boolean {
  return (
    !everything ||
    (going[capp]?.isAsked !== true && waiting.every((one) => one.capp !== capp || one.askedAt === null))
  );
}

/**
 * No workflow of that name runs: the Capp has been deleted. One that has settled meanwhile is counted
 * already.
 */
export function vanished(state: DrainState, capp: string, now: number): DrainState {
  if (!Object.hasOwn(state.going, capp) && state.waiting.every((one) => one.capp !== capp)) return state;
  return withStay({ ...without(state, capp), heardAt: now }, capp, 'Gone');
}

/** Those that have not been heard of for too long hold up the others no longer. */
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
