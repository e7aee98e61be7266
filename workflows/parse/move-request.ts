// Reads a person's move request.
import { UNNAMED } from '../types/moves.ts';
import { fieldsOf, isName } from './fields.ts';

export interface ParsedMoveRequest {
  /** A site; absent or null for the best other one. */
  readonly to?: string | null;
  /** Who asks, and why. The decision record keeps it. */
  readonly by?: string;
  readonly why?: string;
}

/** A move request that has been read. */
export interface ReadMoveRequest {
  readonly to: string | null;
  readonly by: string;
  readonly why: string;
}

/** How many characters of who and why are kept. */
const LONGEST = 256;

/** Throws an Error that names the field and what it should be. */
export function readMoveRequest(given: unknown): ReadMoveRequest {
  const fields = fieldsOf(given);
  if (fields === null)
    throw new Error(
      'a move request must be an object, such as {"to":"site-2","by":"you"}, or {} for the best other site',
    );
  const { to, by, why } = fields;
  if (to !== undefined && to !== null && to !== '' && !isName(to))
    throw new Error('"to" must be the name of a site, such as {"to":"site-2"}, or be left out');
  return {
    to: typeof to === 'string' && to !== '' ? to : null,
    by: text(by, UNNAMED),
    why: text(why, ''),
  };
}

function text(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST) : otherwise;
}
