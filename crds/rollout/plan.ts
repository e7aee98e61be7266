// What would change if a CappSet or a Bundle were written: the answer to annotation rcs.dana.io/plan in a dry
// run. Its size is bounded, however many sites there are.
import { z } from 'zod';

/** Bytes of all of it as JSON: annotations have 256 KiB together. */
export const LARGEST_PLAN = 200 * 1024;
export const MOST_GROUPS = 20;
export const MOST_LINES = 30;

/**
 * The name of a revision that nobody knows before it is written: one of a Bundle is of what ConfigMaps and
 * Secrets hold.
 */
export const NEW_REVISION = 'new';

const sites = () => z.array(z.string());

const Wait = z.object({
  reason: z.string(),
  stage: z.string(),
  /** RFC 3339: when it ends at the earliest. */
  until: z.string().exactOptional(),
});
const Held = z.object({ reason: z.string(), message: z.string() });

export const RolloutPlan = z.object({
  /** Where it would lead. */
  revision: z.string(),
  /** Where it comes from; absent before the first revision that every site had. */
  settled: z.string().exactOptional(),
  /** One after the other. */
  steps: z.array(
    z.object({
      stage: z.string(),
      atOnce: z.int(),
      revision: z.string(),
      after: z.array(Wait),
      /** In order. */
      sites: sites(),
    }),
  ),
  /** Gates behind the last step. */
  last: z.array(Wait),
  /** Why it would not come to its end by itself. */
  stop: Held.exactOptional(),
  /** Sites that have another revision and cannot be reached: they get it when they are back. */
  offline: sites(),
  /** Sites of the selection on which no copy may be. */
  excluded: z.array(z.object({ site: z.string(), reason: z.string() })),
  /** Copies on sites that are no longer selected. `held`: so many wait for a person. `kept`: they stay. */
  removed: z.object({ sites: sites(), held: z.int(), kept: z.int() }),
  /** What is written, and where; sites for which it is the same are together. */
  changes: z.array(
    z.object({
      sites: sites(),
      what: z.enum(['created', 'changed', 'refused']),
      /** A field each; empty where no field changes. */
      lines: z.array(z.string()),
      /** Further fields. */
      more: z.int(),
    }),
  ),
  /** Sites of further groups. */
  moreChanges: z.int(),
});
export type RolloutPlan = z.infer<typeof RolloutPlan>;
