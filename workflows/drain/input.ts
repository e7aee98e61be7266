// Reads the input of a drain: how it begins, and how wide its lanes are.
import { LANES } from './decide/width.ts';
import type { DrainState, Lanes } from './state.ts';
import { fieldsOf, isName } from '../parse/fields.ts';

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

/** Throws an Error that says what the field should be. */
function readCluster(given: unknown): string {
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

/** The input has every field of a new state, with the same type. */
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
