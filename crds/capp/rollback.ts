// A rollback: how a person asks for it by annotation, and what the status keeps of it.
import { z } from 'zod';

export interface RollbackRequest {
  /** The number of a CappRevision. */
  readonly to: number;
  /** Tells it from every other request by that annotation. */
  readonly id: string;
  /** In the person's words. */
  readonly why: string | null;
}

/** How a rollback is spelt; messages have it behind "is not of the form". */
export const ROLLBACK_SPELLING =
  '<number>#<id> <reason>, with the number of a CappRevision and a word not used before; the reason may be left out';

const SHAPE = /^([1-9]\d{0,14})#([^#\s]{1,128})(?: (.{1,256}))?$/;

/** Null for any other form, which asks for nothing. */
export function parseRollback(value: string | undefined): RollbackRequest | null {
  const [, to, id, why = null] = SHAPE.exec(value ?? '') ?? [];
  return to === undefined || id === undefined ? null : { to: Number(to), id, why };
}

/** `NotRolledBack`: when the hub saw the request, the spec was another one. */
export const ROLLBACK_RESULTS = ['RolledBack', 'NotRolledBack'] as const;

export const Rollback = z.object({
  id: z.string().describe('Id of the request by annotation rcs.dana.io/rollback.'),
  to: z.int().describe('The number of the CappRevision whose spec was asked for.'),
  generation: z.int().describe('The generation of the Capp in which the hub saw the request.'),
  result: z.enum(ROLLBACK_RESULTS),
  by: z
    .string()
    .describe('The user, as the API server knows them; absent if no webhook recorded them.')
    .exactOptional(),
  why: z.string().describe("In the user's words.").exactOptional(),
  at: z.iso.datetime({ offset: true }),
});
export type Rollback = z.infer<typeof Rollback>;
