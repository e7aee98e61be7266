// Reads what people and Capps give to a drain: how it is begun, and how wide its lanes are to be.
import type { DrainStart, DrainState, Lanes } from './drain-state.ts';

export const LANES: Lanes = { width: 50, perTarget: 25, ratePerSecond: 25 };

const WIDEST: Lanes = { width: 1000, perTarget: 1000, ratePerSecond: 500 };

/** A checkpoint is taken as it is. Throws an Error that names the field and what it should be. */
export function readDrain(given: DrainStart | DrainState, now: number): DrainState {
  if (isCheckpoint(given)) return given;
  const { cluster, everything = true }: { cluster?: unknown; everything?: unknown } = given ?? {};
  if (typeof cluster !== 'string' || cluster === '') throw new Error('"cluster" must be the name of a site, such as {"cluster":"site-1"}');
  return {
    version: 1,
    cluster,
    everything: everything === true,
    begunAt: now,
    lanes: readLanes(LANES, given),
    paused: false,
    stopped: false,
    waiting: [],
    going: {},
    listing: everything === true ? { after: null, notBefore: 0 } : null,
    second: { since: 0, count: 0 },
    moved: 0,
    stayed: {},
    named: [],
    heardAt: now,
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
