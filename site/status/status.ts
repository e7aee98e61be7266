// The status of a Capp on its site, from what the site holds of it: pure. It is what the agent reports to the
// hub.
import type { Capp } from '../../crds/capp/capp.ts';
import type { CappStatus } from '../../crds/capp/status.ts';
import { conditionSince } from '../../crds/condition.ts';
import { cutText } from '../../crds/cut-text.ts';
import type { Condition } from '../../crds/capp/conditions.ts';
import type { KnativeRevision, KnativeServiceStatus } from '../../crds/kubernetes/knative.ts';
import { eventingStatus, eventsReady, type SeenSources } from '../events/status.ts';
import { loggingReady, loggingStatus, type SeenLogging } from '../logging/status.ts';
import { ready, serving, type ReadyPart, type SiteSight } from './ready.ts';
import { certificateReady } from '../route/certificate-ready.ts';
import { recordReady, type SiteRecord } from '../route/record-ready.ts';
import { routeReady, routeStatus, type SeenRoute } from '../route/status.ts';
import type { ScaleLimits } from '../workload/autoscaling.ts';
import { scaleReady } from '../workload/limits.ts';
import { volumesReady, volumesStatus, type SeenVolumes } from '../volumes/status.ts';

/** Bytes; the API server refuses a status whose message is longer than 32 KiB. */
const LONGEST_MESSAGE = 4_096;

/** Knative keeps more revisions; a status with all of them would grow with every edit. */
const REVISIONS = 10;

export interface SeenAll extends SiteSight {
  readonly volumes: SeenVolumes;
  readonly route: SeenRoute;
  readonly record: SiteRecord;
  readonly logging: SeenLogging;
  readonly events: SeenSources;
  readonly limits: ScaleLimits;
}

/**
 * Takes a normalised Capp with the status it has now; `now` is RFC 3339. Times of what did not change are
 * kept.
 */
export function siteStatus(capp: Capp, seen: SeenAll, now: string): CappStatus {
  const enabled = capp.spec.state === 'enabled';
  const service = enabled && seen.service?.status !== undefined ? seen.service.status : null;
  const volumes = volumesStatus(capp, seen.volumes);
  const route = routeStatus(capp, seen.route, seen.record.record);
  const logging = loggingStatus(capp, seen.logging, now);
  const eventing = eventingStatus(capp, seen.events, now);
  const { generation = 0 } = capp.metadata;
  return {
    observedGeneration: generation,
    conditions: partsOf(capp, seen).map((part) => condition(capp, part, now)),
    stateStatus: stateStatus(capp, now),
    ...(service === null ? {} : { knativeObjectStatus: knativeStatus(service) }),
    ...(service?.url === undefined ? {} : { applicationLinks: { consoleLink: service.url } }),
    ...(enabled && seen.revisions.length > 0 ? { revisions: revisionList(seen.revisions) } : {}),
    ...(volumes === undefined ? {} : { volumesStatus: volumes }),
    ...(route === undefined ? {} : { routeStatus: route }),
    ...(logging === undefined ? {} : { loggingStatus: logging }),
    ...(eventing === undefined ? {} : { eventingStatus: eventing }),
  };
}

/** Ready and Serving first; then what else the Capp asks for. */
function partsOf(capp: Capp, seen: SeenAll): ReadyPart[] {
  const asides = [
    volumesReady(capp, seen.volumes),
    routeReady(capp, seen.route),
    certificateReady(capp, seen.route),
    recordReady(seen.record),
    loggingReady(capp, seen.logging),
    scaleReady(capp, seen.limits),
    eventsReady(capp, seen.events),
  ];
  return [ready(capp, seen), serving(capp, seen), ...asides.filter((part) => part !== null)];
}

function condition(capp: Capp, part: ReadyPart, now: string): Condition {
  const observedGeneration = capp.metadata.generation ?? 0;
  const { type, status, reason } = part;
  const message = cutText(part.message, LONGEST_MESSAGE);
  return conditionSince(capp.status?.conditions, { type, status, reason, message, observedGeneration }, now);
}

function stateStatus(capp: Capp, now: string): NonNullable<CappStatus['stateStatus']> {
  const before = capp.status?.stateStatus;
  return before?.state === capp.spec.state && before.lastChange !== undefined
    ? before
    : { state: capp.spec.state, lastChange: now };
}

function knativeStatus(status: KnativeServiceStatus): NonNullable<CappStatus['knativeObjectStatus']> {
  const { conditions, ...rest } = status;
  return conditions === undefined ? rest : { ...rest, conditions: [...conditions] };
}

/** The newest ones, oldest first, as container-app-operator orders them. */
function revisionList(revisions: readonly KnativeRevision[]): NonNullable<CappStatus['revisions']> {
  return revisions
    .toSorted(
      (a, b) =>
        compare(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
        compare(a.metadata.name, b.metadata.name),
    )
    .slice(-REVISIONS)
    .map(({ metadata: { name }, status }) =>
      status === undefined ? { name } : { name, revisionsStatus: status },
    );
}

function compare(a: string | undefined = '', b: string | undefined = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
