// The one grammar of a request to move by annotation: `<site>#<id>`, or `#<id>` for any other site.

export interface MoveRequest {
  /** A site, or null for any other. */
  readonly to: string | null;
  /** Tells it from every other request by that annotation. */
  readonly id: string;
}

/** For people, behind "is not spelled". */
export const MOVE_REQUEST_SPELLING = '<site>#<id>, or #<id> for any other site, where the id is a word not used before';

/** A site is named as a DNS subdomain at most; an id is a word. */
const SHAPE = /^([^#\s]{0,253})#([^#\s]{1,128})$/;

/** Null for what is spelled otherwise, which asks for nothing. */
export function parseMoveRequest(value: string | undefined): MoveRequest | null {
  const [, to, id] = SHAPE.exec(value ?? '') ?? [];
  return to === undefined || id === undefined ? null : { to: to === '' ? null : to, id };
}

/** Between minus this and this, so that no tenant outbids all others for good. */
export const HIGHEST_PRIORITY = 1000;

const WHOLE = /^-?\d{1,9}$/;

/** A whole number, whatever its size; null for what is none. */
export function parsePriority(value: string): number | null {
  return WHOLE.test(value) ? Number(value) : null;
}

/** Higher goes first. 0 for what says nothing, or nothing that can be read; what was written before there was a bound counts as the bound. */
export function boundedPriority(value: string | undefined): number {
  return Math.max(-HIGHEST_PRIORITY, Math.min(HIGHEST_PRIORITY, parsePriority(value ?? '') ?? 0));
}
