// Pieces of CEL over `object`, as OCM's work agent evaluates it on a site. Pure.

const GENERATION = 'object.metadata.?generation.orValue(0)';

/** Somebody has deleted it, and its finalizers hold it. */
export const IS_LEAVING = 'has(object.metadata.deletionTimestamp)';

/** A condition of an object: its type, its status, and its reason where that counts. */
export type Sign = readonly [type: string, status: 'True' | 'False' | 'Unknown', reason?: string];

/** A number in the status; 0 if it is not there. */
export function count(path: string): string {
  return number(`status.${path}`, 0);
}

/** A number anywhere in the object. */
export function number(path: string, otherwise: number): string {
  return `${at(path)}.orValue(${otherwise})`;
}

/** A text anywhere in the object. */
export function text(path: string, otherwise = ''): string {
  return `${at(path)}.orValue('${otherwise}')`;
}

/** A boolean anywhere in the object. */
export function flag(path: string): string {
  return `${at(path)}.orValue(false)`;
}

/** An annotation. */
export function annotation(name: string): string {
  return `object.metadata.?annotations[?'${name}'].orValue('')`;
}

function at(path: string): string {
  return `object${path
    .split('.')
    .map((name) => `.?${name}`)
    .join('')}`;
}

/**
 * The conditions of the object; empty where its kind keeps something else than a list in `status.conditions`.
 */
const CONDITIONS = `(type(object.?status.?conditions.orValue([])) == list ? object.?status.?conditions.orValue([]) : [])`;

function matches([type, status, reason]: Sign): string {
  const because = reason === undefined ? '' : ` && c.?reason.orValue('') == '${reason}'`;
  return `(c.?type.orValue('') == '${type}' && c.?status.orValue('') == '${status}'${because})`;
}

function anyOf(signs: readonly Sign[]): string {
  return `type(c) == map && (${signs.map(matches).join(' || ')})`;
}

/** Whether the object has one of these conditions. */
export function has(...signs: Sign[]): string {
  return `${CONDITIONS}.exists(c, ${anyOf(signs)})`;
}

/** That a condition is of the present generation, if it says of which. */
export const IS_NOW = `(type(c.?observedGeneration.orValue(0)) != int || c.?observedGeneration.orValue(${GENERATION}) >= ${GENERATION})`;

/** Whether it has this condition, and the condition is of the present generation, if it says of which. */
export function hasNow(sign: Sign): string {
  return `${CONDITIONS}.exists(c, ${anyOf([sign])} && ${IS_NOW})`;
}

/** A list of what these conditions say, as a mark, their reason and their message. */
export function wordsOf(mark: string, signs: readonly Sign[]): string {
  return said(mark, `${CONDITIONS}.filter(c, ${anyOf(signs)})`);
}

/** The same of an object that has seen its present generation, and of conditions that are of it. */
export function wordsNow(mark: string, signs: readonly Sign[]): string {
  return said(mark, `(${NOT_BEHIND} ? ${CONDITIONS} : []).filter(c, ${anyOf(signs)} && ${IS_NOW})`);
}

/** The same of conditions that a CEL gives. */
export function said(mark: string, conditions: string): string {
  return `${conditions}.map(c, '${mark}' + ${wordIn('reason')} + ': ' + ${wordIn('message')})`;
}

/** Empty for what is no text: CEL joins nothing else. */
function wordIn(field: string): string {
  return `(type(c.?${field}.orValue('')) == string ? c.?${field}.orValue('') : '')`;
}

/** Its controller has seen the present generation. */
export const OBSERVED = `${count('observedGeneration')} >= ${GENERATION}`;

/** The same for objects whose controllers need not say so, or say something else there. */
export const NOT_BEHIND = `(type(${count('observedGeneration')}) != int || ${number('status.observedGeneration', 9_007_199_254_740_991)} >= ${GENERATION})`;
