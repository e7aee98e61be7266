// Kubernetes events on the Capps of a site: what was made for a Capp, what could not be, and that it was stopped
// or started. Reasons and notes are container-app-operator's. Each is written once for each change.
import { createHash } from 'node:crypto';
import { CAPP, type Capp } from '../crds/capp/capp.ts';
import type { SiteConditionType } from '../crds/capp/conditions.ts';
import { EVENT, conditionOf, type Event } from '../crds/kubernetes/core.ts';
import type { CappStatus } from '../crds/capp/status.ts';
import { APPLIED, PARENT_CAPP } from '../crds/labels.ts';
import type { Kube } from '../kube/client.ts';
import { keyedQueue } from '../kube/queue.ts';
import type { KubeObject } from '../kube/resource.ts';
import type { Watched } from './watched.ts';

interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
  /** Distinguishes this event from another one with the same text. */
  readonly occasion: string;
}

export interface Happenings {
  /** From then on, what is made for Capps is told. */
  start(): void;
  /** Tells what could not be made, when a published status says so for the first time. */
  published(capp: Capp, status: CappStatus): void;
  stop(): Promise<void>;
}

const REPORTER = 'container-app-controller';
/** Of a note; the API allows 1024 bytes. */
const LONGEST = 500;
/** Further ones are dropped, as Kubernetes' own recorder does. */
const MOST_WAITING = 1000;

/** An event that cannot be written fails nothing: the status has what must be remembered. */
export function happenings(kube: Pick<Kube, 'create'>, watched: Watched): Happenings {
  const waiting = new Map<string, Event>();
  const queue = keyedQueue({
    concurrency: 1,
    work: async (key) => {
      const event = waiting.get(key);
      waiting.delete(key);
      if (event !== undefined) await kube.create(EVENT, event).catch(() => undefined);
    },
  });
  const note = (capp: Capp, happening: Happening): void => {
    if (waiting.size >= MOST_WAITING) return;
    const event = eventOf(capp, happening);
    waiting.set(event.metadata.name, event);
    queue.add(event.metadata.name);
  };
  const cappOf = ({ metadata: { namespace = '', labels } }: KubeObject): Capp | undefined =>
    watched.capps.get({ namespace, name: labels?.[PARENT_CAPP] ?? '' });
  const listen = (
    kind: string,
    of: Watched['nfsPvcs'] | Watched['services'] | Watched['pingSources'],
  ): void =>
    of.subscribe(({ type, object }) => {
      const capp = cappOf(object);
      if (capp === undefined || object.metadata.annotations?.[APPLIED] === undefined) return;
      for (const happening of happeningsOf(kind, type, object, capp)) note(capp, happening);
    });
  return {
    start: () => {
      listen('KnativeService', watched.services);
      listen('NfsPvc', watched.nfsPvcs);
      listen('DomainMapping', watched.domainMappings);
      listen('Certificate', watched.certificates);
      listen('SyslogNGFlow', watched.syslogNgFlows);
      listen('SyslogNGOutput', watched.syslogNgOutputs);
      listen('PingSource', watched.pingSources);
      listen('KafkaSource', watched.kafkaSources);
    },
    published: (capp, status) => {
      for (const happening of failuresIn(capp, status)) note(capp, happening);
    },
    stop: () => queue.stop(),
  };
}

function happeningsOf(kind: string, type: string, { metadata }: KubeObject, capp: Capp): Happening[] {
  const occasion = `${type} ${metadata.uid}`;
  const normal = (reason: string, text: string): Happening => ({
    type: 'Normal',
    reason,
    note: text,
    occasion,
  });
  const isService = kind === 'KnativeService';
  if (type === 'Added') {
    const made = normal(`${kind}Created`, `Created ${kind} ${metadata.name}`);
    const wasDisabled = capp.status?.stateStatus?.state === 'disabled';
    return isService && wasDisabled
      ? [made, normal('CappEnabled', `Enabled Capp ${capp.metadata.name}`)]
      : [made];
  }
  const isStopped = isService && type === 'Deleted' && capp.spec.state === 'disabled';
  return isStopped ? [normal('CappDisabled', `Disabled Capp ${capp.metadata.name}`)] : [];
}

/** What upstream calls the part that a condition is about. */
const PARTS = {
  Ready: 'KnativeService',
  VolumesReady: 'NfsPvc',
  RouteReady: 'DomainMapping',
  CertificateReady: 'Certificate',
  LoggingReady: 'SyslogNGOutput',
  EventsReady: 'EventSource',
} as const satisfies Partial<Record<SiteConditionType, string>>;

/** The parts that the API server refuses, or whose name somebody has, and did not before. */
function failuresIn(capp: Capp, status: CappStatus): Happening[] {
  return Object.entries(PARTS).flatMap(([type, part]) => {
    const now = conditionOf(status.conditions, type);
    const before = conditionOf(capp.status?.conditions, type);
    const isNew = now?.reason !== before?.reason || now?.message !== before?.message;
    if (now?.status !== 'False' || !['Refused', 'NameTaken'].includes(now.reason ?? '') || !isNew) return [];
    const text = `Failed to create ${part} of Capp ${capp.metadata.name}: ${now.message ?? ''}`;
    return [
      {
        type: 'Warning',
        reason: `${part}CreationFailed`,
        note: text,
        occasion: now.lastTransitionTime ?? '',
      },
    ];
  });
}

function eventOf({ metadata }: Capp, { type, reason, note, occasion }: Happening): Event {
  const { name, namespace = '', uid = '' } = metadata;
  const id = createHash('sha256').update([uid, reason, note, occasion].join('\n')).digest('hex').slice(0, 16);
  return {
    apiVersion: EVENT.apiVersion,
    kind: EVENT.kind,
    metadata: { name: `${name}.${id}`, namespace },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    reportingController: REPORTER,
    reportingInstance: REPORTER,
    action: reason,
    reason,
    type,
    regarding: { apiVersion: CAPP.apiVersion, kind: CAPP.kind, name, namespace, uid },
    note: note.slice(0, LONGEST),
  };
}
