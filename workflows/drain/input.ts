// Reads the input of a drain: how it begins, how wide its lanes are, which Capps ask for a turn, and
// outcomes.
import type { DrainProgress } from './decide/progress.ts';
import type { DrainStart, DrainState, Lanes, Order } from './state.ts';
import { fieldsOf, isName, isUid } from '../parse/fields.ts';

export const LANES: Lanes = { width: 50, perTarget: 25, ratePerSecond: 25 };

const WIDEST: Lanes = { width: 1000, perTarget: 1000, ratePerSecond: 500 };

/**
 * The state of a drain that gives turns to Capps that ask. A checkpoint is taken as it is. Input that only
 * resembles a checkpoint begins a new drain. Throws an Error that names the field and what it should be.
 */
export function readDrain(given: unknown, now: number): DrainState {
  const start = begunWith(given, now);
  return isCheckpoint(given, start) ? given : start;
}

function begunWith(given: unknown, now: number): DrainState {
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

/**
 * A drain order. One that goes on in a new run is taken as it is. Throws an Error that names the field and
 * what it should be.
 */
export function readOrder(given: DrainStart | Order, now: number): Order {
  const cluster = readCluster(given);
  if (isOfCapps(given))
    throw new Error(
      'Capps ask turns/<site> for their turn, and drain/<site> is a drain order: start it with {"cluster":"site-1"}',
    );
  const { lanes = given, since = now, object, drain } = fieldsOf(given) ?? {};
  const read = Object.entries(readLanes(LANES, lanes)).filter(([field]) =>
    Object.hasOwn(Object(lanes), field),
  );
  return {
    cluster,
    lanes: Object.fromEntries(read),
    since: typeof since === 'number' ? since : now,
    ...(isOrderObject(object) ? { object } : typeof drain === 'string' ? { isUnread: true } : {}),
  };
}

function isOrderObject(given: unknown): given is NonNullable<Order['object']> {
  const { uid, generation, paused } = fieldsOf(given) ?? {};
  return isUid(uid) && typeof generation === 'number' && typeof paused === 'boolean';
}

/** A drain that Capps of an earlier version began, or its checkpoint: it is no drain order. */
function isOfCapps(given: unknown): boolean {
  const { everything, version } = fieldsOf(given) ?? {};
  return everything === false || version !== undefined;
}

/** Null if this is not the result of this order. */
export function readAccount(given: unknown, { cluster, since }: Order): DrainProgress | null {
  const { order, progress } = (fieldsOf(given) ?? {}) as {
    readonly order?: unknown;
    readonly progress?: DrainProgress | null;
  };
  return order === since && progress?.cluster === cluster ? progress : null;
}

/** The order whose workflow gets the result. */
export function readOrderTime(before: number | null, given: unknown): number | null {
  const { order } = fieldsOf(given) ?? {};
  return typeof order === 'number' ? order : before;
}

/** Absent where a person's signal does not say it. */
export function readTerms(given: unknown): Pick<DrainState, 'drain'> & { readonly paused?: boolean } {
  const { paused, drain } = fieldsOf(given) ?? {};
  return { ...(typeof paused === 'boolean' ? { paused } : {}), ...(isUid(drain) ? { drain } : {}) };
}

/** Throws an Error that says what the field should be. */
export function readCluster(given: unknown): string {
  const { cluster } = fieldsOf(given) ?? {};
  if (isName(cluster)) return cluster;
  throw new Error('"cluster" must be the name of a site, such as {"cluster":"site-1"}');
}

/** Fields that are not given stay as they are. Throws an Error that names the field and what it should be. */
export function readLanes(before: Lanes, given: unknown): Lanes {
  const wanted = given === undefined ? {} : fieldsOf(given);
  if (wanted === null) throw new Error('lanes are an object, such as {"width":50}');
  const read = (field: keyof Lanes): number => {
    const value = wanted[field];
    if (value === undefined) return before[field];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= WIDEST[field])
      return value;
    throw new Error(
      `"${field}" must be a whole number from 1 to ${WIDEST[field]}, such as {"${field}":${LANES[field]}}`,
    );
  };
  return { width: read('width'), perTarget: read('perTarget'), ratePerSecond: read('ratePerSecond') };
}

/** Has every field of a new state, with the same type. */
function isCheckpoint(given: unknown, start: DrainState): given is DrainState {
  const fields = fieldsOf(given);
  if (fields === null || fields['version'] !== 1) return false;
  const parts = Object.entries(start).filter(([name, value]) => value !== null && name !== 'lanes');
  const hasParts = parts.every(([name, value]) => kindOf(fields[name]) === kindOf(value));
  return hasParts && fieldsOf(fields['lanes']) !== null && fields['listing'] !== undefined;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : value === null ? 'nothing' : typeof value;
}
