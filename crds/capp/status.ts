// The status of a Capp: the Go operator's fields, and where it is, why, and what was decided.
import { z } from 'zod';
import { AskedBySchema } from './asked.ts';
import { Condition } from './conditions.ts';
import { DecisionSchema } from './decision.ts';
import { Rollback } from './rollback.ts';
import { VerdictStatus, VerificationStatus } from '../verification/status.ts';

const foreign = () => z.looseObject({});
const conditionsByType = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] };
const time = () => z.iso.datetime({ offset: true });

const KnativeStatus = z
  .looseObject({
    url: z.string().exactOptional(),
    latestCreatedRevisionName: z.string().exactOptional(),
    latestReadyRevisionName: z.string().exactOptional(),
    observedGeneration: z.int().exactOptional(),
    conditions: z
      .array(
        z.looseObject({
          type: z.string(),
          status: z.string(),
          reason: z.string().exactOptional(),
          message: z.string().exactOptional(),
        }),
      )
      .exactOptional(),
  })
  .describe("The site's Knative Service's own status.");

const Revision = z.object({ name: z.string(), revisionsStatus: foreign().exactOptional() });

const ApplicationLinks = z.object({
  site: z.string().describe('The site that serves the Capp.').exactOptional(),
  consoleLink: z.string().describe('Where the Capp answers.').exactOptional(),
});

/** What a site is to the Capp, while a copy is there that users are or may be sent to. */
export const SITE_ROLES = ['Serving', 'Coming', 'Leaving'] as const;

/** A list of objects with one name each, since that is what other controllers can read of any kind. */
const Site = z.object({
  clusterName: z.string().describe('The ManagedCluster.'),
  role: z
    .enum(SITE_ROLES)
    .describe(
      'Serving is where users are sent. Coming is where the Capp moves to, before they are. Leaving is where it moves from, until that copy is removed.',
    ),
});

/** What was tried because the Capp was unhealthy. */
const Healing = z
  .object({
    generation: z.int().describe('The generation that was unhealthy.'),
    from: z.string().describe('The site on which it was unhealthy first.'),
    to: z.string().describe('The only other site that is tried.'),
    moves: z.int().min(1).max(2).describe('1: it went to the other site. 2: it went back as well.'),
    said: z
      .record(z.string(), z.string())
      .describe('By site, what was said of the Capp there.')
      .exactOptional(),
  })
  .describe('Moves of an unhealthy Capp: there are two at most, until a person asks for one or edits it.');

const SourceStatus = z.object({
  name: z.string(),
  condition: z.looseObject({
    type: z.string(),
    status: z.string(),
    reason: z.string().exactOptional(),
    message: z.string().exactOptional(),
    lastTransitionTime: time().exactOptional(),
  }),
});

const VolumeStatus = z.object({
  volumeName: z.string().exactOptional(),
  nfsPvcStatus: z
    .object({ pvPhase: z.string().exactOptional(), pvcPhase: z.string().exactOptional() })
    .exactOptional(),
});

/** What a workflow needs to resume if Temporal loses its data. Hub only. */
export const Migration = z
  .object({
    serving: z.string().describe('The cluster whose copy users are sent to.').exactOptional(),
    pin: z.string().describe('The cluster that a person asked for last.').exactOptional(),
    placedFor: z
      .string()
      .describe('spec.site as it was when the serving cluster was chosen.')
      .exactOptional(),
    handledRequest: z
      .string()
      .describe('Id of the last request by annotation rcs.dana.io/migrate that was answered.')
      .exactOptional(),
    handledForce: z
      .string()
      .describe('Id of the last request by annotation rcs.dana.io/force that was answered.')
      .exactOptional(),
    statusHash: z
      .string()
      .describe("Hash of the site's status as it was last mirrored here.")
      .exactOptional(),
    decidedAt: time()
      .describe(
        "When the hub's part of this status was decided: what was decided earlier does not replace it.",
      )
      .exactOptional(),
    mirroredAt: time().describe("When the site's part of this status was decided.").exactOptional(),
    unhealthySince: time()
      .describe('Since when its site calls it not Ready, where spec.migration.unhealthy is set.')
      .exactOptional(),
    healing: Healing.exactOptional(),
    lastMove: z
      .object({
        from: z.string().exactOptional(),
        to: z.string().exactOptional(),
        reason: z.string().exactOptional(),
        message: z
          .string()
          .describe('Why it set out, and who asked as far as that is known.')
          .exactOptional(),
        startedAt: time().exactOptional(),
        endedAt: time().exactOptional(),
        result: z.string().exactOptional(),
        asked: AskedBySchema.describe('Who asked for the move, if anybody did.').exactOptional(),
        verification: VerdictStatus.describe(
          'How the checks ended for which the move was given up, with their figures.',
        ).exactOptional(),
      })
      .exactOptional(),
  })
  .describe('Where the Capp is served from and how it last moved.');
export type Migration = z.infer<typeof Migration>;

/** So many of the copies that people gave up are kept. */
export const MOST_ABANDONED = 10;

/** A copy that a person has given up for lost. */
export const Abandoned = z.object({
  site: z.string(),
  work: z.string().describe('The uid of the ManifestWork that was deleted with it.'),
  by: z
    .string()
    .describe('The user, as the API server knows them; absent if no webhook recorded them.')
    .exactOptional(),
  at: time(),
});
export type Abandoned = z.infer<typeof Abandoned>;

export const CappStatus = z.object({
  observedGeneration: z
    .int()
    .describe('The generation of the spec that this status is about.')
    .exactOptional(),
  conditions: z.array(Condition).meta(conditionsByType).exactOptional(),
  applicationLinks: ApplicationLinks.exactOptional(),
  sites: z
    .array(Site)
    .max(2)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['clusterName'] })
    .describe('Where the Capp is: one site, and during a move two.')
    .exactOptional(),
  knativeObjectStatus: KnativeStatus.exactOptional(),
  revisions: z.array(Revision).exactOptional(),
  routeStatus: z
    .looseObject({
      domainMappingObjectStatus: foreign().describe("The site's DomainMapping's own status.").exactOptional(),
      certificateObjectStatus: foreign().describe("The site's Certificate's own status.").exactOptional(),
      dnsRecordObjectStatus: z
        .looseObject({
          cnameRecordObjectStatus: foreign()
            .describe('The own status of the CNAMERecord that the site makes.')
            .exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  loggingStatus: foreign().exactOptional(),
  eventingStatus: z.looseObject({ eventSources: z.array(SourceStatus).exactOptional() }).exactOptional(),
  volumesStatus: z.looseObject({ nfsVolumesStatus: z.array(VolumeStatus).exactOptional() }).exactOptional(),
  stateStatus: z
    .object({ state: z.string().exactOptional(), lastChange: time().exactOptional() })
    .exactOptional(),
  migration: Migration.exactOptional(),
  decisions: z
    .array(DecisionSchema)
    .max(10)
    .describe('The last ten placements, newest first.')
    .exactOptional(),
  abandoned: z
    .array(Abandoned)
    .max(MOST_ABANDONED)
    .describe('The last ten copies that people have given up for lost, newest first.')
    .exactOptional(),
  verification: VerificationStatus.describe(
    'How the last verification of the app ended, with its figures.',
  ).exactOptional(),
  failedVerification: VerificationStatus.describe(
    'Checks of the CappSet that have failed where the Capp is, while verification says how those of a move go.',
  ).exactOptional(),
  rollback: Rollback.describe('The last rollback that a person asked for.').exactOptional(),
});
export type CappStatus = z.infer<typeof CappStatus>;

/** Some revision answers requests, whatever its generation. A disabled Capp serves nobody. */
export function isHealthy(status: CappStatus | undefined): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === 'Serving' && condition.status === 'True') ??
    false
  );
}

/** The hub has said that no agent answers for the Capp. */
export function isSaidSilent(status: CappStatus | undefined): boolean {
  return (
    status?.conditions?.some(({ type, reason }) => type === 'Available' && reason === 'AgentSilent') ?? false
  );
}

/** The hub has said that the Capp's site does not have it. */
export function isSaidMissing(status: CappStatus | undefined): boolean {
  return (
    status?.conditions?.some(({ type, reason }) => type === 'Available' && reason === 'Missing') ?? false
  );
}
