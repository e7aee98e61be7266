// The status of a CappSet: how far it is, and which sites hold it up. Its size is bounded, however many sites
// there are.
import { z } from 'zod';
import { Condition } from '../capp/conditions.ts';
import { ROLLOUT_REASONS, rolloutFields } from '../rollout/status.ts';

export const SET_CONDITION_TYPES = ['Ready', 'Progressing', 'Stalled'] as const;
export type SetConditionType = (typeof SET_CONDITION_TYPES)[number];

/** Every reason that a condition of a CappSet may carry. */
export const SET_REASONS = [
  ...ROLLOUT_REASONS,
  'SitesReady',
  'SitesNotReady',
  // The set cannot be rolled out as it is.
  'Invalid',
  // Of Stalled, while it is False.
  'Progressing',
  'Deleting',
] as const;
export type SetReason = (typeof SET_REASONS)[number];

/** Every reason for which a site of a set fails, beside those of its Capp. */
export const SET_SITE_REASONS = [
  'NotWritten',
  'NotObserved',
  'Progressing',
  'Deleting',
  // The Capp could not be written.
  'NameTaken',
  'Overridden',
  'Rejected',
  'MissingLabel',
  'RevisionGone',
  // The same, and it is tried again.
  'WriteFailed',
  // No Capp of a set may be there.
  'UnknownSite',
  'SelfManaged',
  'PinRefused',
] as const;
export type SetSiteReason = (typeof SET_SITE_REASONS)[number];

/** So many failing sites are named. */
export const MOST_FAILING = 20;

const count = () => z.int().min(0);
const FailingSite = z.object({
  site: z.string(),
  capp: z.string(),
  reason: z.string(),
  message: z.string(),
});
export type FailingSite = z.infer<typeof FailingSite>;

export const CappSetStatus = z.object({
  observedGeneration: z.int().exactOptional(),
  readySites: z.string().describe('How many sites are Ready at this revision, of how many.').exactOptional(),
  sites: count().describe('Sites that are selected and may have a Capp of the set.').exactOptional(),
  ready: count().exactOptional(),
  failed: count().exactOptional(),
  offline: count().exactOptional(),
  kept: count().describe('Capps on sites that are no longer selected.').exactOptional(),
  excluded: count().describe('Sites that are selected, and to which no Capp may be pinned.').exactOptional(),
  revision: z.string().describe('Of the template and its overrides.').exactOptional(),
  shortRevision: z.string().describe('The first digits of revision, for people.').exactOptional(),
  failing: z.array(FailingSite).max(MOST_FAILING).exactOptional(),
  ...rolloutFields(),
  conditions: z
    .array(Condition)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
    .exactOptional(),
});
export type CappSetStatus = z.infer<typeof CappSetStatus>;
