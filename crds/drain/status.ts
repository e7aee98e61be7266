// The status of a Drain: how far it is, who stays and why. Its size is bounded, however many Capps there are.
import { z } from 'zod';
import { Condition } from '../capp/conditions.ts';
import { Rehearsal } from './rehearsal.ts';

export const DRAIN_PHASES = ['Planned', 'Draining', 'Paused', 'Stopped', 'Done'] as const;
export type DrainPhase = (typeof DRAIN_PHASES)[number];

/**
 * `Complete`: nothing more is done for this generation of the Drain. `Drained`: the drain has ended and no
 * Capp is left on the site.
 */
export const DRAIN_CONDITION_TYPES = ['Complete', 'Drained'] as const;
export type DrainConditionType = (typeof DRAIN_CONDITION_TYPES)[number];

/** Beside the phases, reasons of conditions. */
export const DRAIN_REASONS = [...DRAIN_PHASES, 'SiteEmpty', 'CappsStay'] as const;
export type DrainReason = (typeof DRAIN_REASONS)[number];

/** How many Capps that go are named, and how many that stay. */
export const MOST_NAMED = 50;

/** The length of the sentence beside a reason, in characters. */
export const LONGEST_MESSAGE = 256;

const count = () => z.int().min(0);
const time = () => z.iso.datetime({ offset: true });

export const DrainStatus = z.object({
  observedGeneration: z
    .int()
    .describe('The generation of the spec that this status is about.')
    .exactOptional(),
  phase: z.enum(DRAIN_PHASES).exactOptional(),
  requestedBy: z.string().describe('Who created the Drain.').exactOptional(),
  waiting: count()
    .describe('Capps that wait to be told to leave; in a dry run, that would leave.')
    .exactOptional(),
  underWay: count().describe('Capps on their way.').exactOptional(),
  moved: count().describe('Capps that have left the site.').exactOptional(),
  movedBefore: count()
    .describe('Of these, Capps that had left when the drain was begun once more, after a loss of its data.')
    .exactOptional(),
  countedSince: z.string().describe('Since when the others are counted.').exactOptional(),
  stayed: count().describe('Capps that stay on the site, or would.').exactOptional(),
  targets: z
    .array(z.object({ site: z.string(), capps: count() }))
    .describe('Where Capps are on their way to; in a dry run, where they would go.')
    .exactOptional(),
  going: z
    .array(z.object({ capp: z.string(), site: z.string() }))
    .max(MOST_NAMED)
    .describe(
      'Capps on their way, then those that wait, and where to; in a dry run, those that would go first. 50 at most.',
    )
    .exactOptional(),
  reasons: z
    .array(
      z.object({
        reason: z.string(),
        capps: count(),
        message: z
          .string()
          .max(LONGEST_MESSAGE)
          .describe('In a dry run, what the first of them waits for.')
          .exactOptional(),
      }),
    )
    .describe('Why Capps stay, or would: the most frequent reason first.')
    .exactOptional(),
  stays: z
    .array(z.object({ capp: z.string(), reason: z.string() }))
    .max(MOST_NAMED)
    .describe('Capps that stay, or would, and why: those with rare reasons first, 50 at most.')
    .exactOptional(),
  rehearsal: Rehearsal.exactOptional(),
  startedAt: time().exactOptional(),
  endedAt: time().exactOptional(),
  reportedAt: time()
    .describe('When this was found out: what was found out earlier does not replace it.')
    .exactOptional(),
  conditions: z
    .array(Condition)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
    .exactOptional(),
});
export type DrainStatus = z.infer<typeof DrainStatus>;

/** Nothing more is to be done for this generation: a drain is neither begun nor continued. */
export function isSettledDrain(drain: {
  readonly metadata: { readonly generation?: number };
  readonly status?: DrainStatus;
}): boolean {
  const { observedGeneration, conditions = [] } = drain.status ?? {};
  const isComplete = conditions.some(({ type, status }) => type === 'Complete' && status === 'True');
  return isComplete && observedGeneration === drain.metadata.generation;
}
