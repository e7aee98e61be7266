// The conditions of a Capp and the closed list of their reasons: what a user reads when something is not as
// asked.
import { z } from 'zod';

/**
 * In the order in which a Capp gets there. `Ready` is the first of Placed, Applied and Available that is not
 * True.
 */
export const CONDITION_TYPES = [
  'Ready',
  'Placed',
  'Applied',
  'Available',
  'Migrating',
  'Stalled',
  // Only of Capps for which the hub keeps a DNS record.
  'RecordReady',
  // Only of Capps whose checks are to be made, or were.
  'Verified',
] as const;
export type ConditionType = (typeof CONDITION_TYPES)[number];

/** Every reason that a condition of the hub's Capp may carry, by the condition that it explains first. */
export const HUB_REASONS = [
  // Placed
  'Chosen',
  'Pinned',
  'NoConfig',
  'NoPlacement',
  'NoDecision',
  'UnknownSite',
  'PinRefused',
  'NotAccepted',
  'Draining',
  'NoCandidate',
  'SelfManaged',
  'SiteRemoved',
  'StillLeaving',
  // Applied
  'Applied',
  'Applying',
  'MissingReference',
  'NoSealingKey',
  'TooLarge',
  'TooManyReferences',
  'NamespaceReserved',
  'HostnameTaken',
  'HostnameClosed',
  'Rejected',
  'Refused',
  'HubUnavailable',
  'NotOurs',
  'NamespaceClosed',
  'NotAllowed',
  'OtherHub',
  'SiteUnreachable',
  // Available
  'Serving',
  'NoSiteOperator',
  'AgentSilent',
  'Missing',
  'NotObserved',
  // Migrating
  'Moving',
  'AwaitsHostname',
  'AwaitsRecord',
  'AwaitsChecks',
  'PermitAsked',
  'NotMoving',
  'NotSelected',
  'Unfit',
  'FleetUnhealthy',
  'Unhealed',
  'Manual',
  'Stabilising',
  'CoolDown',
  'AwaitsConfirmation',
  'MoveRefused',
  'Paused',
  // Stalled
  'WorkflowFailing',
  'DeadlinePassed',
  'Progressing',
  // RecordReady
  'RecordSynced',
  'RecordPending',
  'NoIngressName',
  'TargetRefused',
  'RecordImpossible',
  // Verified
  'ChecksRunning',
  'ChecksPassed',
  'ChecksFailed',
  'ChecksInconclusive',
  // Deletion
  'Leaving',
  'AbandonRefused',
] as const;

/**
 * Further conditions of a site's Capp, if it asks for such parts. They never block a rollout, and the hub
 * copies them as they are.
 */
export const SITE_DETAILS = [
  'VolumesReady',
  'RouteReady',
  'CertificateReady',
  'LoggingReady',
  'ScaleReady',
  'EventsReady',
] as const;

/**
 * What a site's Capp says of itself. `Ready` is about the newest generation: True once it serves (or is
 * disabled as asked), False when it cannot, Unknown meanwhile. `Serving` is about any generation: some
 * revision answers requests. The others are details.
 */
export const SITE_CONDITION_TYPES = ['Ready', 'Serving', ...SITE_DETAILS, 'RecordReady'] as const;
export type SiteConditionType = (typeof SITE_CONDITION_TYPES)[number];

/**
 * Every reason that a condition of a site's Capp may carry; the hub repeats those of `Ready` in `Available`.
 */
export const SITE_REASONS = [
  'Ready',
  'Disabled',
  /** A revision is starting, and nothing has failed yet. */
  'Deploying',
  /** The newest revision cannot serve: its container exits or cannot start, or Knative gave up. */
  'RolloutFailed',
  /** The newest revision's image cannot be pulled. */
  'ImageNeverReady',
  /** The site's API server does not serve a kind that the Capp needs. */
  'NotServed',
  /** The namespace is reserved for the cluster's own components. */
  'NamespaceReserved',
  /** The site has not opened this Namespace to the Capps of a hub. */
  'NamespaceClosed',
  /** An object of somebody else already has the name that the Capp needs. */
  'NameTaken',
  /** The site's API server refused an object that the Capp needs. */
  'Refused',
  /** The site cannot open a Secret that came sealed. */
  'SecretSealed',
  /** Knative on the site does not take a field of the Pod: its switch is off there. */
  'FeatureOff',
  /** Nobody on the site serves the class of autoscaler that the newest revision has. */
  'NoAutoscaler',
  /** The Capp is private, so no name of its own leads to it. */
  'Private',
  /** A revision answers requests. */
  'RevisionServes',
  /** No revision answers requests. */
  'NothingServes',
  /** Every volume is bound. */
  'Bound',
  /** A volume is not bound yet. */
  'NotBound',
  /** The site answers for the hostname. */
  'Mapped',
  /** The site does not answer for the hostname yet, or cannot. */
  'NotMapped',
  /** The hostname is no full domain name. */
  'NotQualified',
  /** The site's CappConfig does not allow the hostname. */
  'HostnameRefused',
  /** The Capp asks for more than the site's CappConfig allows, and gets what that allows. */
  'LimitExceeded',
  /** The site has a certificate for the hostname. */
  'Provided',
  /** The site ships the Capp's output. */
  'Collected',
  /** The site does not ship the Capp's output, or not yet. */
  'NotCollected',
  /** The site cannot ship the Capp's output as spec.logSpec says. */
  'LoggingInvalid',
  /** Every source of events is Ready. */
  'SourcesReady',
  /** A source of events is not Ready yet, or cannot be. */
  'SourceNotReady',
  /** The site's CappConfig does not say who issues certificates. */
  'NoIssuer',
  /** There is no certificate for the hostname yet, or none that is valid. */
  'NotIssued',
  /** DNS leads the hostname to the site. */
  'RecordSynced',
  /** DNS does not have the record of the hostname yet. */
  'RecordPending',
  /** DNS allows no such record. */
  'RecordImpossible',
] as const;

export type HubReason = (typeof HUB_REASONS)[number];
export type SiteReason = (typeof SITE_REASONS)[number];
export type Reason = HubReason | SiteReason;

export const Condition = z
  .object({
    type: z.string().min(1).max(316),
    status: z.enum(['True', 'False', 'Unknown']),
    reason: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/),
    message: z.string().max(32_768),
    lastTransitionTime: z.iso.datetime({ offset: true }),
    observedGeneration: z.int().min(0).exactOptional(),
  })
  .describe('What is so, why, and since when.');
export type Condition = z.infer<typeof Condition>;
