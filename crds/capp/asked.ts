// Who asked for a choice of a site or for a move, as the status of a Capp records it.
import { z } from 'zod';

/** How a person asks for a move. */
export const ASKED_VIA = ['Annotation', 'Spec', 'Drain', 'Signal', 'Update'] as const;

/**
 * Who asked, and how the hub knows. Only the API server knows users: a message to Temporal has none, so what
 * it says of its sender is only claimed.
 */
export interface AskedBy {
  readonly via: (typeof ASKED_VIA)[number];
  /** The user, as the webhook recorded them; absent if it recorded nobody. */
  readonly by?: string;
  /** Who the sender of a message to Temporal says to be. */
  readonly claimed?: string;
}

export const AskedBySchema = z.object({
  via: z.enum(ASKED_VIA),
  by: z
    .string()
    .describe('The user, as the API server knows them; absent if no webhook recorded them.')
    .exactOptional(),
  claimed: z
    .string()
    .describe('Who the sender of a message to Temporal says to be, which nobody has checked.')
    .exactOptional(),
});
