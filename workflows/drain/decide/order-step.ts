// What an order does when it has read the Drain object of its cluster. Pure.
import type { DrainAsked } from '../object.ts';
import type { Lanes, Order, Word } from '../state.ts';

export type OrderStep =
  /** A person gave the order to Temporal, and there is no object that says otherwise. */
  | { readonly do: 'goOn' }
  /** The object asks for a drain that has not been begun for it. */
  | { readonly do: 'begin' }
  /** It asks for the same drain in another way; the words are for the drain that carries it out. */
  | { readonly do: 'adjust'; readonly words: readonly Word[] }
  /** It asks what would happen. A drain that was begun for it, or for an earlier one, ends. */
  | { readonly do: 'plan'; readonly stops: boolean; readonly ends: boolean }
  /** It was carried out before, or stopped by hand: nothing is begun a second time. */
  | { readonly do: 'note'; readonly ends: boolean }
  /** The object is gone: so is the order. */
  | { readonly do: 'stop'; readonly stops: boolean };

export function orderStep(order: Order, asked: DrainAsked | null): OrderStep {
  const { object } = order;
  const isByHand = object === undefined && order.isUnread !== true;
  if (asked === null) return isByHand ? { do: 'goOn' } : { do: 'stop', stops: object !== undefined };
  if (asked.dryRun) return { do: 'plan', stops: object !== undefined, ends: !isByHand };
  if (asked.isOver) return { do: 'note', ends: !isByHand };
  if (object?.uid === asked.uid) return { do: 'adjust', words: adjustments(order, asked) };
  return { do: 'begin' };
}

/** The order that a Drain object gives; `now` in milliseconds since the epoch. */
export function orderedBy(cluster: string, asked: DrainAsked, now: number): Order {
  const { uid, generation, paused, lanes } = asked;
  return { cluster, lanes, since: now, object: { uid, generation, paused } };
}

/** The word by which the drain of the cluster is begun, or told once more. */
export function evacuation({ lanes, object, since }: Order): Word {
  const byObject = object === undefined ? {} : { drain: object.uid, paused: object.paused };
  return { ...lanes, say: 'evacuate', order: since, ...byObject };
}

/** The order is taken back: what it reads next is another. */
export function takenBack({ cluster, since }: Order): Order {
  return { cluster, lanes: {}, since, isUnread: true };
}

/** The same order, as the object asks for it now. */
export function adjusted(order: Order, { uid, generation, paused, lanes }: DrainAsked): Order {
  return { ...order, lanes, object: { uid, generation, paused } };
}

function adjustments({ lanes, object }: Order, asked: DrainAsked): Word[] {
  const names = ['width', 'perTarget', 'ratePerSecond'] as const satisfies readonly (keyof Lanes)[];
  const words: Word[] = [];
  if (names.some((name) => lanes[name] !== asked.lanes[name]))
    words.push({ say: 'configure', lanes: asked.lanes });
  if (object?.paused !== asked.paused) words.push({ say: asked.paused ? 'pause' : 'resume' });
  return words;
}
