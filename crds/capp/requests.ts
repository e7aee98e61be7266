// What people ask by annotation: a pause, a move request (`<site>#<id>`, or `#<id>` for any other site), and
// a priority.
import { PAUSED } from '../labels.ts';
import type { Capp } from './capp.ts';
import type { ObjectMeta } from '../../kube/resource.ts';

/** Any value but `false` pauses. */
export function isPaused({ metadata }: { readonly metadata: Pick<ObjectMeta, 'annotations'> }): boolean {
  const value = metadata.annotations?.[PAUSED];
  return value !== undefined && value !== 'false';
}

/**
 * It is paused, or its workflow has not said yet that it goes on: what was written meanwhile is not shipped.
 */
export function isHeldBack(capp: Pick<Capp, 'metadata' | 'status'>): boolean {
  const migrating = capp.status?.conditions?.find(({ type }) => type === 'Migrating');
  return isPaused(capp) || migrating?.reason === 'Paused';
}

export interface MoveRequest {
  /** A site, or null for any other. */
  readonly to: string | null;
  /** Tells it from every other request by that annotation. */
  readonly id: string;
}

/** How a request is spelt; messages have it behind "is not of the form". */
export const MOVE_REQUEST_SPELLING =
  '<site>#<id>, or #<id> for any other site, where the id is a word not used before';

/** A site is named as a DNS subdomain at most; an id is a word. */
const SHAPE = /^([^#\s]{0,253})#([^#\s]{1,128})$/;

/** Null for any other form, which asks for nothing. */
export function parseMoveRequest(value: string | undefined): MoveRequest | null {
  const [, to, id] = SHAPE.exec(value ?? '') ?? [];
  return to === undefined || id === undefined ? null : { to: to === '' ? null : to, id };
}

/** Priorities are between minus this and this, so that no tenant outbids all others for good. */
export const HIGHEST_PRIORITY = 1000;

const WHOLE = /^-?\d{1,9}$/;

/** A whole number, whatever its size; null for what is none. */
export function parsePriority(value: string): number | null {
  return WHOLE.test(value) ? Number(value) : null;
}

/**
 * Higher goes first. 0 for an absent or unreadable value; a value outside of the bounds counts as the bound.
 */
export function boundedPriority(value: string | undefined): number {
  return Math.max(-HIGHEST_PRIORITY, Math.min(HIGHEST_PRIORITY, parsePriority(value ?? '') ?? 0));
}
