// Decision records: how a site was chosen for a Capp, and why others were left out.
import { z } from 'zod';
import { AskedBySchema, type AskedBy } from './asked.ts';

export interface DecisionCandidate {
  readonly cluster: string;
  readonly score: number;
  readonly capps: number;
}

/** Clusters left out for one reason: how many, and some by name. */
export interface DecisionExclusion {
  readonly reason: string;
  readonly count: number;
  readonly examples: readonly string[];
  /** With `Unfit`: the expression of spec.requires that does not hold there. */
  readonly failed?: string;
}

export interface DecisionRecord {
  /** RFC 3339. */
  readonly at: string;
  /** The chosen cluster, or null when there was none. */
  readonly cluster: string | null;
  readonly reason: string;
  /** The Placement whose decision it was, or null for a pinned Capp. */
  readonly placement: string | null;
  /** At most ten. */
  readonly candidates: readonly DecisionCandidate[];
  readonly excluded: readonly DecisionExclusion[];
  /** Who asked for this choice; absent if nobody did. */
  readonly asked?: AskedBy;
}

/** A merge patch cannot write a null, so an absent name is one too. */
export const DecisionSchema = z.object({
  at: z.iso.datetime({ offset: true }),
  cluster: z.string().nullable().describe('The chosen cluster, or null when there was none.').exactOptional(),
  reason: z.string(),
  placement: z.string().nullable().describe('The Placement whose decision it was.').exactOptional(),
  candidates: z.array(z.object({ cluster: z.string(), score: z.int(), capps: z.int() })),
  excluded: z
    .array(
      z.object({
        reason: z.string(),
        count: z.int(),
        examples: z.array(z.string()),
        failed: z
          .string()
          .describe('With Unfit: the expression of spec.requires that does not hold there.')
          .exactOptional(),
      }),
    )
    .describe('Who was left out, counted by reason.'),
  asked: AskedBySchema.describe('Who asked for this choice, if anybody did.').exactOptional(),
});
