// What the statuses of kinds with many sites say of a rollout: its stages, what people asked, and what a
// rebuild needs.
import { z } from 'zod';
import { HOLD_REASONS } from './stages.ts';

/** Every reason that a rollout over many sites gives for how it stands. */
export const ROLLOUT_REASONS = [
  ...HOLD_REASONS,
  'Done',
  // Nobody knows which sites are selected.
  'NoPlacement',
  'NoDecision',
  'DecisionIncomplete',
  // Too many would be removed for nobody to be asked.
  'RemovalHeld',
  // The last Ready copy stays until another is Ready.
  'LastCopy',
  // The hub does not let a copy be removed.
  'RemovalRefused',
] as const;
export type RolloutReason = (typeof ROLLOUT_REASONS)[number];

const count = () => z.int().min(0);
const milliseconds = () => z.int();

const StageStatus = z.object({
  name: z.string(),
  sites: count(),
  ready: count(),
  underWay: count(),
  failed: count(),
  offline: count(),
  state: z.string(),
});

/** What a rebuild needs, as the workflow has it. Times are in milliseconds since the epoch. */
const RolloutStatus = z.object({
  revision: z.string(),
  settled: z.string().exactOptional(),
  before: z.string().exactOptional(),
  direction: z.enum(['Forward', 'Back']),
  begunAt: milliseconds(),
  halfway: z.array(z.string()),
  approved: z.array(z.string()),
  closed: z.array(z.string()),
  decided: z
    .record(z.string(), milliseconds())
    .describe('Stages that a person approved last, and when: verdicts from before that need no other word.')
    .exactOptional(),
  paused: z.boolean(),
  aborted: z.boolean(),
  retries: z
    .record(z.string(), milliseconds())
    .describe('Sites that a person has given their deadline once more, and when. None where it is absent.')
    .exactOptional(),
  cause: z.string().exactOptional(),
  isResettling: z
    .boolean()
    .describe(
      'The settled revision goes through the stages once more, where labels of sites have changed it.',
    )
    .exactOptional(),
  resettledAt: milliseconds()
    .describe('When that began. It stays while another revision is on its way.')
    .exactOptional(),
});

const Approval = z.object({
  what: z.string().describe('Which request: approve, abort, retry or removal.'),
  request: z.string(),
  by: z.string().describe('The user, as the API server knows them.').exactOptional(),
  at: z.iso.datetime({ offset: true }).describe('When the hub heard it.').exactOptional(),
});

const Removal = z.object({
  since: milliseconds().describe('When the ten minutes began in which removals are counted.'),
  count: count(),
  recent: z
    .array(
      z.object({
        minute: milliseconds(),
        count: count(),
        of: count()
          .describe('The most copies that there were before a removal of this minute.')
          .exactOptional(),
      }),
    )
    .max(12)
    .describe('The same, minute by minute.')
    .exactOptional(),
  allowed: count().describe('How many more may be removed because a person said so.').exactOptional(),
  approved: z.string().describe('Of which sites: a digest of their names.').exactOptional(),
  number: count()
    .describe('The numberOfClusters of the Placement when it was last followed.')
    .exactOptional(),
  placement: z.string().describe('The uid of that Placement.').exactOptional(),
  lowered: count()
    .describe('How many more may be removed because numberOfClusters was lowered.')
    .exactOptional(),
});
export type RemovalStatus = z.infer<typeof Removal>;

const HeldRemoval = z.object({
  count: count().describe('How many copies wait.'),
  set: z
    .string()
    .describe('Names exactly the sites that this object would leave. An approval has to name it.'),
});

/** The fields of a rollout in the schema of a status. */
export const rolloutFields = () => ({
  stage: z.string().describe('The stage that is open, and how far it is.').exactOptional(),
  stages: z.array(StageStatus).max(22).exactOptional(),
  rollout: RolloutStatus.exactOptional(),
  removal: Removal.describe('Removals of the last ten minutes, and what people allowed.').exactOptional(),
  heldRemoval: HeldRemoval.describe('Removals that wait for a person.').exactOptional(),
  handled: z
    .object({
      approve: z.string().exactOptional(),
      abort: z.string().exactOptional(),
      retry: z.string().exactOptional(),
      removal: z.string().exactOptional(),
    })
    .describe('The last request of each kind that counted.')
    .exactOptional(),
  asked: z
    .array(Approval)
    .max(20)
    .describe('Requests of people that counted, the newest last.')
    .exactOptional(),
});

const Fields = z.object(rolloutFields());
export type RolloutFields = z.infer<typeof Fields>;
