// Writes the status of a Capp on its site, when it is another one than before.
import { isDeepStrictEqual } from 'node:util';
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { SITE_CONDITION_TYPES } from '../../crds/capp/conditions.ts';
import type { CappStatus } from '../../crds/capp/status.ts';
import type { KnativeService } from '../../crds/kubernetes/knative.ts';
import { applyStatus } from '../../kube/apply-status.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { MOST_CONSUMERS } from '../events/asked.ts';
import { FIELD_MANAGER } from '../objects/ensure.ts';
import type { CappFault } from '../objects/fault.ts';
import type { Optional } from '../../kube/watch/optional.ts';
import { isOwn } from '../objects/owned.ts';
import { routeNameOf } from '../route/name.ts';
import { asksForRecord, recordOf } from '../route/record.ts';
import type { SiteRecord } from '../route/record-ready.ts';
import { zoneOf } from '../route/zone.ts';
import { siteStatus, type SeenAll } from './status.ts';
import { BY_CAPP } from '../objects/by-capp.ts';
import type { OperatedSite } from '../watched.ts';
import { DEFAULT_AUTOSCALE } from '../workload/autoscaling.ts';

/** What an API server answers to a written status. */
export type WrittenStatus = Pick<Capp, 'metadata' | 'status'>;

/** Why a part of the Capp could not be written, or null. */
export interface Faults {
  readonly workload: CappFault | null;
  readonly volumes: CappFault | null;
  readonly route: CappFault | null;
  readonly certificate: CappFault | null;
  readonly record: CappFault | null;
  readonly logging: CappFault | null;
  readonly events: CappFault | null;
}

/** Gives the Capp as it was written, or null if nothing changed. */
export async function publish(
  site: OperatedSite,
  capp: Capp,
  service: KnativeService | null,
  faults: Faults,
): Promise<WrittenStatus | null> {
  const status = siteStatus(capp, seenOf(site, capp, service, faults), now());
  if (isPublished(capp.status, status)) return null;
  const written = await applyStatus<WrittenStatus>(site.kube, CAPP, capp, {
    status,
    fieldManager: FIELD_MANAGER,
  });
  site.recorder.published(capp, status);
  return written;
}

function seenOf(
  { watched, config, unserved, unrouted, undeployed, unmade, unstarted }: OperatedSite,
  capp: Capp,
  service: KnativeService | null,
  faults: Faults,
): SeenAll {
  const { name, namespace = '' } = capp.metadata;
  const key = `${namespace}/${name}`;
  const own = <T extends KubeObject>(kind: Optional<T>): T | null => {
    const found = kind.served() ? kind.get({ namespace, name }) : undefined;
    return found !== undefined && isOwn(found.metadata, capp) ? found : null;
  };
  const { autoscale, dns } = config.current() ?? { autoscale: DEFAULT_AUTOSCALE, dns: null };
  const revisions = watched.revisions.by(BY_CAPP, key);
  const pods = watched.pods.by(BY_CAPP, key);
  const newest = revisions.find((one) => one.metadata.name === service?.status?.latestCreatedRevisionName);
  return {
    service,
    revisions,
    lacking: unserved.of(key, newest),
    ingress: unrouted.of(key, service, capp.status?.conditions),
    isUndeployed: undeployed.of(key, newest),
    isUnmade: unmade.of(key, service, newest),
    unstarted: unstarted.of(key, newest, pods),
    pods,
    fault: faults.workload,
    limits: autoscale.limits,
    volumes: { nfsPvcs: watched.nfsPvcs.by(BY_CAPP, key), fault: faults.volumes },
    route: {
      mappings: watched.domainMappings.by(BY_CAPP, key),
      certificates: watched.certificates.by(BY_CAPP, key),
      zone: dns === null ? null : zoneOf({ watched }, capp, dns),
      fault: faults.route,
      certificateFault: faults.certificate,
    },
    record: seenRecord({ watched, config }, capp, faults.record),
    logging: {
      flow: own(watched.syslogNgFlows),
      output: own(watched.syslogNgOutputs),
      fault: faults.logging,
    },
    events: {
      sources: [...watched.pingSources.by(BY_CAPP, key), ...watched.kafkaSources.by(BY_CAPP, key)],
      most: config.current()?.maxKafkaConsumers ?? MOST_CONSUMERS,
      fault: faults.events,
    },
  };
}

function seenRecord(
  { watched, config }: Pick<OperatedSite, 'watched' | 'config'>,
  capp: Capp,
  fault: CappFault | null,
): SiteRecord {
  const now = config.current();
  const name = now === null ? null : routeNameOf(capp, zoneOf({ watched }, capp, now.dns));
  const isAsked = now !== null && asksForRecord(capp, name, now);
  const record = recordOf({ watched }, capp, name);
  return { isAsked, record, fault };
}

const OWN_FIELDS = [
  'observedGeneration',
  'applicationLinks',
  'knativeObjectStatus',
  'revisions',
  'volumesStatus',
  'routeStatus',
  'loggingStatus',
  'eventingStatus',
  'stateStatus',
] as const satisfies readonly (keyof CappStatus)[];

const OWN_CONDITIONS: ReadonlySet<string> = new Set(SITE_CONDITION_TYPES);

/** Whether the live status equals ours, with nothing left of an earlier one. */
function isPublished(before: CappStatus | undefined, status: CappStatus): boolean {
  if (before === undefined || !OWN_FIELDS.every((field) => isDeepStrictEqual(before[field], status[field])))
    return false;
  const byType = (conditions: CappStatus['conditions'] = []): object =>
    Object.fromEntries(
      conditions.filter(({ type }) => OWN_CONDITIONS.has(type)).map((one) => [one.type, one]),
    );
  return isDeepStrictEqual(byType(before.conditions), byType(status.conditions));
}

/** Conditions have whole seconds. */
function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}
