// What the state of a drain becomes when something is heard or done: pure.
import type { DrainState, Place, Waiting } from '../drain-state.ts';
import type { Residents } from '../residents.ts';
import type { Petition, Settled } from '../turns.ts';
import { LANE_MS, MOST_WAITING, type DrainStep } from './drain-step.ts';

/** Of those that did not move, so many are named; so many reasons are told apart. */
const NAMED = 50;
const REASONS = 20;
const REASON_LENGTH = 64;
/** How long a page that could not be read is left alone, in milliseconds. */
const PAGE_PAUSE_MS = 5_000;

/** A Capp asks for its turn. Asked twice it is one wish, which has yet to be answered; one that was let go and asks has not gone. */
export function petitioned(state: DrainState, { namespace, name, to, priority }: Petition, now: number): DrainState {
  const capp = `${namespace}/${name}`;
  const asking: Waiting = { capp, to, priority, askedAt: now, isTold: false };
  const index = state.waiting.findIndex((one) => one.capp === capp);
  if (state.waiting[index]?.priority === priority) return { ...state, waiting: state.waiting.with(index, asking), heardAt: now };
  const rest = without(state, capp);
  return { ...rest, waiting: queued(rest.waiting, asking), heardAt: now };
}

/** Behind all that are at least as urgent. */
function queued(waiting: readonly Waiting[], one: Waiting): Waiting[] {
  const index = waiting.findIndex(({ priority }) => priority < one.priority);
  return index < 0 ? [...waiting, one] : waiting.toSpliced(index, 0, one);
}

/** A page of those on the cluster: they wait to be told, unless they have asked of their own accord. */
export function listed(state: DrainState, { capps, isLast }: Residents, now: number): DrainState {
  const known = new Set([...state.waiting.map(({ capp }) => capp), ...Object.keys(state.going)]);
  let { waiting } = state;
  let next = state;
  for (const { namespace, name, priority, to, frozen } of capps) {
    const capp = `${namespace}/${name}`;
    if (known.has(capp)) continue;
    if (frozen) next = kept(next, capp, 'Paused');
    else waiting = queued(waiting, { capp, to, priority, askedAt: null, isTold: false });
  }
  const last = capps.at(-1);
  const after: Place | null = last === undefined ? null : { namespace: last.namespace, name: last.name, priority: last.priority };
  return { ...next, waiting, listing: isLast || after === null ? null : { after, notBefore: 0 }, heardAt: now };
}

export function unlisted(state: DrainState, now: number): DrainState {
  return state.listing === null ? state : { ...state, listing: { ...state.listing, notBefore: now + PAGE_PAUSE_MS } };
}

/** Some were let go, others told to wait. */
export function answeredTo(state: DrainState, { go, wait }: Extract<DrainStep, { do: 'answer' }>, now: number): DrainState {
  const gone = new Set(go);
  const told = new Set(wait);
  const waiting = state.waiting.filter((one) => !gone.has(one)).map((one) => (told.has(one) ? { ...one, isTold: true } : one));
  const going = Object.fromEntries(go.map(({ capp, to }) => [capp, { to, since: now }]));
  const isSameSecond = now < state.second.since + 1_000;
  const second = isSameSecond ? { ...state.second, count: state.second.count + go.length } : { since: now, count: go.length };
  return {
    ...state,
    waiting: waiting.filter(({ askedAt }, index) => askedAt === null || index < MOST_WAITING),
    going: { ...state.going, ...going },
    second,
  };
}

/** Nobody may have heard: they wait as before, in front of all that are as urgent. Some may hear twice, which is as once. */
export function unanswered(state: DrainState, { go, wait }: Extract<DrainStep, { do: 'answer' }>): DrainState {
  const back = go.filter(({ capp }) => Object.hasOwn(state.going, capp));
  const going = Object.fromEntries(Object.entries(state.going).filter(([capp]) => back.every((one) => one.capp !== capp)));
  const untold = new Set(wait.map(({ capp }) => capp));
  const waiting = state.waiting.map((one) => (untold.has(one.capp) ? { ...one, isTold: false } : one));
  return { ...state, going, waiting: [...back, ...waiting].toSorted((a, b) => b.priority - a.priority) };
}

/** A Capp says what became of it, whether or not it had been let go. */
export function settled(state: DrainState, { namespace, name, outcome, reason }: Settled, now: number): DrainState {
  const capp = `${namespace}/${name}`;
  const rest = { ...without(state, capp), heardAt: now };
  if (outcome === 'Moved') return { ...forgotten(rest, capp), moved: rest.moved + 1 };
  return kept(rest, capp, outcome === 'Stayed' ? reason : outcome);
}

/** No workflow of that name runs: the Capp has been deleted. One that has settled meanwhile is counted already. */
export function vanished(state: DrainState, capp: string, now: number): DrainState {
  if (!Object.hasOwn(state.going, capp) && state.waiting.every((one) => one.capp !== capp)) return state;
  return kept({ ...without(state, capp), heardAt: now }, capp, 'Gone');
}

/** Those that have not been heard of for too long hold up the others no longer. */
export function withoutOverdue(state: DrainState, now: number): DrainState {
  const overdue = Object.entries(state.going).filter(([, { since }]) => now >= since + LANE_MS);
  return overdue.reduce((next, [capp]) => ({ ...kept(without(next, capp), capp, 'Overdue'), heardAt: now }), state);
}

/** A person wants everything off, whoever began the drain. */
export function begunByPerson(state: DrainState): DrainState {
  return { ...state, everything: true, stopped: false, listing: { after: null, notBefore: 0 } };
}

function without(state: DrainState, capp: string): DrainState {
  const { [capp]: gone, ...going } = state.going;
  const waiting = state.waiting.filter((one) => one.capp !== capp);
  return { ...state, waiting, going: gone === undefined ? state.going : going };
}

function kept(state: DrainState, capp: string, reason: string): DrainState {
  const before = forgotten(state, capp);
  const known = Object.keys(before.stayed);
  const short = reason.slice(0, REASON_LENGTH);
  const why = known.includes(short) || known.length < REASONS ? short : 'Other';
  const count = known.includes(why) ? (before.stayed[why] ?? 0) : 0;
  return { ...before, stayed: { ...before.stayed, [why]: count + 1 }, named: [...before.named, { capp, why }].slice(-NAMED) };
}

/** One that is heard of again is counted anew. */
function forgotten(state: DrainState, capp: string): DrainState {
  const known = state.named.find((one) => one.capp === capp);
  if (known === undefined) return state;
  const { [known.why]: count = 1, ...others } = state.stayed;
  const stayed = count === 1 ? others : { ...others, [known.why]: count - 1 };
  return { ...state, stayed, named: state.named.filter((one) => one !== known) };
}
