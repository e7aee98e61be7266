// The status of a Bundle: on how many of its sites it is ready, and what fails. Its size is bounded, however
// many sites there are.
import { z } from 'zod';
import { Condition } from '../capp/conditions.ts';
import { rolloutFields } from '../rollout/status.ts';
import { HOLD_REASONS } from '../rollout/stages.ts';

export const BUNDLE_CONDITION_TYPES = ['Ready', 'Progressing', 'Stalled'] as const;
export type BundleConditionType = (typeof BUNDLE_CONDITION_TYPES)[number];

/** Every reason that a condition of a Bundle may carry. */
export const BUNDLE_REASONS = [
  // All is as asked.
  'Ready',
  // On the way there.
  'Shipping',
  'Applying',
  'NotReady',
  'StillLeaving',
  // The Bundle cannot be shipped as it is.
  'Invalid',
  'Unreadable',
  'MissingSource',
  'TooLarge',
  'ExecutorRefused',
  'SecretNotSealed',
  // A site cannot be used.
  'UnknownSite',
  'SiteNotAllowed',
  'SiteUnreachable',
  'NameTaken',
  'Refused',
  'WriteFailed',
  // A site does not take a manifest.
  'NotAllowed',
  'Conflict',
  'Rejected',
  'BadRule',
  'Failed',
  'WrongPlural',
  'RevisionGone',
  // A Job that checks the Bundle has failed there, or came to no verdict in time.
  'ChecksFailed',
  // Why a rollout does nothing more at present.
  ...HOLD_REASONS,
  'NoPlacement',
  'NoDecision',
  'DecisionIncomplete',
  'RemovalHeld',
  'LastCopy',
  'RemovalRefused',
  'Done',
  // Stalled
  'Progressing',
  'DeadlinePassed',
  // Deletion
  'Leaving',
  'SiteLost',
] as const;
export type BundleReason = (typeof BUNDLE_REASONS)[number];

/** So many failing resources are named, and so many sites that are waited for. */
export const MOST_FAILING = 20;
/**
 * So many sites are named of revisions that are not on most of them, and so many that are no longer selected.
 */
export const MOST_NAMED = 500;
export const MOST_REVISIONS = 12;
/** A message about one of them has at most so many bytes. */
export const LONGEST_MESSAGE = 256;

const count = () => z.int().min(0);

/** A resource that fails on a site, or the site itself. */
export const FailingResource = z.object({
  cluster: z.string(),
  kind: z.string().describe('Empty if the site as a whole fails.'),
  name: z.string(),
  namespace: z.string().exactOptional(),
  condition: z.string().describe('Which condition is not as it should be.'),
  reason: z.string(),
  message: z.string(),
});
export type FailingResource = z.infer<typeof FailingResource>;

/** Sites that have the same revision. */
const PlacedRevision = z.object({
  revision: z.string().describe('Empty for sites that have none yet.'),
  number: count().describe('How many of the sites of the Bundle have it.'),
  sites: z
    .array(z.string())
    .max(MOST_NAMED)
    .describe('Their names. The first entry, which most sites have, names none: it is about all others.')
    .exactOptional(),
});

export const BundleStatus = z.object({
  observedGeneration: z.int().describe('The generation that this status is about.').exactOptional(),
  revision: z.string().describe('A hash of what is shipped to every site.').exactOptional(),
  shortRevision: z.string().describe('The first digits of revision, for people.').exactOptional(),
  readyOfSites: z.string().describe('Sites on which this revision is ready, of all: 3/4.').exactOptional(),
  sites: count().describe('How many sites the Bundle goes to.').exactOptional(),
  ready: count().describe('On how many of them this revision is ready.').exactOptional(),
  progressing: count().describe('On how many of them it is on its way.').exactOptional(),
  failed: count().describe('On how many of them something fails.').exactOptional(),
  waiting: count().describe('How many of them wait for their turn in the rollout.').exactOptional(),
  offline: count().describe('How many of them cannot be reached.').exactOptional(),
  failing: z
    .array(FailingResource)
    .max(MOST_FAILING)
    .describe('What is not ready, and why: 20 at most, those that fail first.')
    .exactOptional(),
  leaving: z
    .array(z.string())
    .max(MOST_FAILING)
    .describe('Sites that have still to clean up: 20 at most.')
    .exactOptional(),
  revisions: z
    .array(PlacedRevision)
    .max(MOST_REVISIONS)
    .describe('Which revision is on which sites: that of most sites first.')
    .exactOptional(),
  unselected: z
    .array(z.string())
    .max(MOST_NAMED)
    .describe('Sites that are no longer selected and have the Bundle still.')
    .exactOptional(),
  ...rolloutFields(),
  conditions: z
    .array(Condition)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
    .exactOptional(),
});
export type BundleStatus = z.infer<typeof BundleStatus>;
