// Reads what people and Capps give to a drain: how it is begun, how wide its lanes are to be, who wants to go and what came of it.
import type { DrainProgress } from './decide/drain-progress.ts';
import type { DrainStart, DrainState, Lanes, Order } from './drain-state.ts';
import type { Petition, Settled } from './turns.ts';

export const LANES: Lanes = { width: 50, perTarget: 25, ratePerSecond: 25 };

const OUTCOMES: readonly Settled['outcome'][] = ['Moved', 'Failed', 'Cancelled', 'Stayed'];

const WIDEST: Lanes = { width: 1000, perTarget: 1000, ratePerSecond: 500 };

/** One that lets those go that ask. A checkpoint is taken as it is. Throws an Error that names the field and what it should be. */
export function readDrain(given: DrainStart | DrainState, now: number): DrainState {
  if (isCheckpoint(given)) return given;
  return {
    version: 1,
    cluster: readCluster(given),
    everything: false,
    order: null,
    begunAt: now,
    lanes: readLanes(LANES, given),
    paused: false,
    stopped: false,
    waiting: [],
    going: {},
    listing: null,
    isClear: false,
    looks: 0,
    lookAt: 0,
    patience: null,
    second: { since: 0, count: 0 },
    moved: 0,
    stays: {},
    unnamed: 0,
    heardAt: now,
  };
}

/** A person's order; one that goes on in a new run is taken as it is. Throws an Error that names the field and what it should be. */
export function readOrder(given: DrainStart | Order, now: number): Order {
  const cluster = readCluster(given);
  const { lanes = given, since = now } = given as { readonly lanes?: unknown; readonly since?: unknown };
  const read = Object.entries(readLanes(LANES, lanes)).filter(([field]) => Object.hasOwn(Object(lanes), field));
  return { cluster, lanes: Object.fromEntries(read), since: typeof since === 'number' ? since : now };
}

/** Null for what is no account of this order. */
export function readAccount(given: unknown, { cluster, since }: Order): DrainProgress | null {
  const { order, progress } = (given ?? {}) as { readonly order?: unknown; readonly progress?: DrainProgress | null };
  return order === since && progress?.cluster === cluster ? progress : null;
}

/** The order that a drain answers for from now on. */
export function readOrderTime(before: number | null, given: unknown): number | null {
  const { order }: { order?: unknown } = given ?? {};
  return typeof order === 'number' ? order : before;
}

/** Throws an Error that says what the field should be. */
export function readCluster(given: unknown): string {
  const { cluster }: { cluster?: unknown } = given ?? {};
  if (typeof cluster === 'string' && cluster !== '') return cluster;
  throw new Error('"cluster" must be the name of a site, such as {"cluster":"site-1"}');
}

/** Null for what no Capp would say. */
export function readPetition(given: unknown): Petition | null {
  const { namespace, name, to = null, priority = 0 } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof namespace !== 'string' || typeof name !== 'string' || typeof priority !== 'number') return null;
  return { namespace, name, to: typeof to === 'string' ? to : null, priority };
}

/** Null for what no Capp would say. */
export function readSettled(given: unknown): Settled | null {
  const { namespace, name, outcome, to, reason } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const known = OUTCOMES.find((one) => one === outcome);
  if (typeof namespace !== 'string' || typeof name !== 'string' || known === undefined) return null;
  return {
    namespace,
    name,
    outcome: known,
    to: typeof to === 'string' ? to : null,
    reason: typeof reason === 'string' ? reason : 'Unknown',
  };
}

/** What is not given stays as it was. Throws an Error that names the field and what it should be. */
export function readLanes(before: Lanes, given: unknown): Lanes {
  const wanted = (given ?? {}) as Readonly<Record<string, unknown>>;
  const read = (field: keyof Lanes): number => {
    const value = wanted[field];
    if (value === undefined) return before[field];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= WIDEST[field]) return value;
    throw new Error(`"${field}" must be a whole number from 1 to ${WIDEST[field]}, such as {"${field}":${LANES[field]}}`);
  };
  return { width: read('width'), perTarget: read('perTarget'), ratePerSecond: read('ratePerSecond') };
}

function isCheckpoint(given: DrainStart | DrainState): given is DrainState {
  return typeof given === 'object' && given !== null && 'version' in given;
}
