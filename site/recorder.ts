// Records Kubernetes events on the Capps of a site: what was made for a Capp, what could not be made, and
// that it was stopped or started. Reasons and notes are container-app-operator's. Each is recorded once a
// change.
import { CAPP, type Capp } from '../crds/capp/capp.ts';
import type { SiteConditionType } from '../crds/capp/conditions.ts';
import type { CappStatus } from '../crds/capp/status.ts';
import { CONFIG_MAP, conditionOf, EVENT, type ConfigMap, type Event } from '../crds/kubernetes/core.ts';
import { eventOf, type Happening, type Reporter } from '../crds/kubernetes/event.ts';
import { APPLIED, PARENT_CAPP } from '../crds/labels.ts';
import type { Kube } from '../kube/client.ts';
import { keyTextOf, type KubeObject } from '../kube/resource.ts';
import { valueQueue } from '../kube/value-queue.ts';
import type { Cache } from '../kube/watch/cache.ts';
import type { Optional } from '../kube/watch/optional.ts';

type Subscribed = Pick<Optional<KubeObject>, 'subscribe'>;

/** The caches of the kinds whose making is recorded. */
export interface Recorded {
  readonly capps: Pick<Cache<Capp>, 'get'>;
  readonly services: Subscribed;
  readonly nfsPvcs: Subscribed;
  readonly domainMappings: Subscribed;
  readonly certificates: Subscribed;
  readonly syslogNgFlows: Subscribed;
  readonly syslogNgOutputs: Subscribed;
  readonly pingSources: Subscribed;
  readonly kafkaSources: Subscribed;
}

export interface Recorder {
  /** From then on, what is made for Capps is recorded. */
  start(): void;
  /** Records what could not be made, when a published status says so for the first time. */
  published(capp: Capp, status: CappStatus): void;
  /** Records on a ConfigMap that a CappConfig supersedes it. */
  superseded(configMap: ConfigMap, note: string): void;
  /** Records that container-app-operator runs this Capp, so that ours leaves it alone. */
  standsBack(capp: Capp): void;
  stop(): Promise<void>;
}

const NAME = 'container-app-controller';
const REPORTER: Reporter = { controller: NAME, instance: NAME };
/** Further ones are dropped. */
export const MOST_WAITING = 1000;

/**
 * An event that cannot be written fails nothing: the status has what must be remembered. The name of an event
 * is a hash of what it says, so a repeat is refused by the API server.
 */
export function recorder(
  kube: Pick<Kube, 'create'>,
  watched: Recorded,
  onDropped: (reason: string) => void = () => undefined,
): Recorder {
  const queue = valueQueue<Event>({
    keyOf: keyTextOf,
    work: async (event) => void (await kube.create(EVENT, event)),
    mostWaiting: MOST_WAITING,
  });
  const record = (capp: Capp, happening: Happening): void => {
    const { apiVersion, kind } = CAPP;
    const isTaken = queue.add(eventOf({ ...capp, apiVersion, kind }, happening, REPORTER));
    if (!isTaken) onDropped(happening.reason);
  };
  const cappOf = ({ metadata: { namespace = '', labels } }: KubeObject): Capp | undefined =>
    watched.capps.get({ namespace, name: labels?.[PARENT_CAPP] ?? '' });
  return {
    start: () => {
      for (const [kind, cache] of kindsOf(watched))
        cache.subscribe(({ type, object }) => {
          const capp = cappOf(object);
          if (capp === undefined || object.metadata.annotations?.[APPLIED] === undefined) return;
          for (const happening of happeningsOf(kind, type, object, capp)) record(capp, happening);
        });
    },
    published: (capp, status) => {
      for (const happening of failuresIn(capp, status)) record(capp, happening);
    },
    superseded: (configMap, note) => {
      const { uid = '' } = configMap.metadata;
      const said: Happening = { type: 'Warning', reason: 'ConfigSuperseded', note, occasion: uid };
      const { apiVersion, kind } = CONFIG_MAP;
      if (!queue.add(eventOf({ ...configMap, apiVersion, kind }, said, REPORTER))) onDropped(said.reason);
    },
    standsBack: (capp) => record(capp, standingBack()),
    stop: () => queue.stop(),
  };
}

function standingBack(): Happening {
  const note =
    "container-app-operator runs the Capps of this site, so Cappstan's site operator changes nothing here. To hand the site over, stop container-app-operator: the site operator begins within a minute and a half.";
  return { type: 'Warning', reason: 'OperatorStandsBack', note, occasion: new Date().toISOString() };
}

/** Under the names that container-app-operator gives them. */
function kindsOf(watched: Recorded): readonly (readonly [string, Subscribed])[] {
  return [
    ['KnativeService', watched.services],
    ['NfsPvc', watched.nfsPvcs],
    ['DomainMapping', watched.domainMappings],
    ['Certificate', watched.certificates],
    ['SyslogNGFlow', watched.syslogNgFlows],
    ['SyslogNGOutput', watched.syslogNgOutputs],
    ['PingSource', watched.pingSources],
    ['KafkaSource', watched.kafkaSources],
  ];
}

function happeningsOf(kind: string, type: string, { metadata }: KubeObject, capp: Capp): Happening[] {
  const { name } = capp.metadata;
  const occasion = `${type} ${metadata.uid}`;
  const normal = (reason: string, note: string): Happening => ({ type: 'Normal', reason, note, occasion });
  const isService = kind === 'KnativeService';
  if (type === 'Added') {
    const made = normal(`${kind}Created`, `Created ${kind} ${metadata.name}`);
    const wasDisabled = capp.status?.stateStatus?.state === 'disabled';
    return isService && wasDisabled ? [made, normal('CappEnabled', `Enabled Capp ${name}`)] : [made];
  }
  const isStopped = isService && type === 'Deleted' && capp.spec.state === 'disabled';
  return isStopped ? [normal('CappDisabled', `Disabled Capp ${name}`)] : [];
}

/** What container-app-operator calls the part that a condition is about. */
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
    const note = `Failed to create ${part} of Capp ${capp.metadata.name}: ${now.message ?? ''}`;
    const occasion = now.lastTransitionTime ?? '';
    return [{ type: 'Warning', reason: `${part}CreationFailed`, note, occasion }];
  });
}
