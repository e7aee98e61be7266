// The status of what sends events to a Capp. It never blocks a rollout.
import type { Capp } from '../../crds/capp/capp.ts';
import type { CappStatus } from '../../crds/capp/status.ts';
import type { EventSource } from '../../crds/capp/spec/event-sources.ts';
import { conditionOf, type ForeignCondition } from '../../crds/kubernetes/core.ts';
import { KAFKA_SOURCE, PING_SOURCE, type KnativeSource } from '../../crds/kubernetes/eventing.ts';
import type { CappFault } from '../objects/fault.ts';
import { isOwn } from '../objects/owned.ts';
import type { ReadyPart } from '../status/ready.ts';
import { sourceName, sourcesOf } from './asked.ts';
import { unreadable } from './unreadable.ts';

export interface SeenSources {
  /** Of both kinds. */
  readonly sources: readonly KnativeSource[];
  /** The most consumers that the site allows one source. */
  readonly most: number;
  /** Why they could not be written, or null. */
  readonly fault: CappFault | null;
}

/** Null for a Capp without sources. */
export function eventsReady(capp: Capp, seen: SeenSources): ReadyPart | null {
  const asked = sourcesOf(capp);
  if (asked.length === 0) return null;
  if (seen.fault !== null) return events('False', seen.fault.reason, seen.fault.message);
  if (capp.spec.state === 'disabled')
    return events(
      'False',
      'Disabled',
      'The Capp is disabled, so its sources send nothing. Set spec.state to enabled to start it.',
    );
  const waiting = asked
    .map((source) => ({ source, ready: readyOf(ownOf(capp, seen, sourceName(capp, source))) }))
    .find(({ ready }) => ready?.status !== 'True');
  if (waiting !== undefined) {
    const { source, ready } = waiting;
    const fault = unreadable(source);
    if (fault !== null) return events('False', 'SourceNotReady', fault);
    const status = ready?.status === 'False' ? 'False' : 'Unknown';
    return events(status, 'SourceNotReady', waitingFor(capp, source, ready));
  }
  const above = asked.find((one) => (one.kafkaSourceConfiguration?.consumers ?? 1) > seen.most);
  if (above !== undefined)
    return events(
      'False',
      'LimitExceeded',
      `The source ${above.name} asks for more consumers than the site's CappConfig allows (maxKafkaConsumers), and has ${seen.most}. Lower consumers.`,
    );
  return events('True', 'SourcesReady', 'Every source sends its events to the Capp.');
}

function waitingFor(capp: Capp, source: EventSource, ready: ForeignCondition | undefined): string {
  const kind = source.kafkaSourceConfiguration === undefined ? PING_SOURCE.kind : KAFKA_SOURCE.kind;
  const object = `${kind} ${sourceName(capp, source)}`;
  return ready === undefined
    ? `The source ${source.name} is not Ready (Knative has not looked at it yet). If it stays so, see that Knative Eventing runs on the site, and look at ${object} there.`
    : `The source ${source.name} is not Ready (${ready.reason ?? 'Unknown'}). Look at ${object} on the site, and correct the source in spec.eventSourcesSpec.sources.`;
}

/** As upstream: one entry for each source, sorted by the name of its object. Undefined without any. */
export function eventingStatus(capp: Capp, seen: SeenSources, now: string): CappStatus['eventingStatus'] {
  const own = seen.sources.filter(({ metadata }) => isOwn(metadata, capp));
  if (own.length === 0) return undefined;
  const before = capp.status?.eventingStatus?.eventSources ?? [];
  const eventSources = own
    .map((source) => {
      const { name } = source.metadata;
      const known = before.find((one) => one.name === name)?.condition;
      return { name, condition: conditionIn(source, known, now) };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { eventSources };
}

type Entry = NonNullable<NonNullable<CappStatus['eventingStatus']>['eventSources']>[number]['condition'];

function conditionIn(source: KnativeSource, before: Entry | undefined, now: string): Entry {
  const ready = readyOf(source);
  const status = ready?.status ?? 'Unknown';
  const since = before?.status === status ? before.lastTransitionTime : undefined;
  return {
    type: 'Ready',
    status,
    ...(ready?.reason === undefined ? {} : { reason: ready.reason }),
    ...(ready?.message === undefined ? {} : { message: ready.message }),
    lastTransitionTime: ready?.lastTransitionTime ?? since ?? now,
  };
}

/** Undefined until Knative has looked at the newest generation. */
function readyOf(source: KnativeSource | undefined): ForeignCondition | undefined {
  if (source?.status?.observedGeneration !== source?.metadata.generation) return undefined;
  return conditionOf(source?.status?.conditions, 'Ready');
}

function ownOf(capp: Capp, { sources }: SeenSources, name: string): KnativeSource | undefined {
  return sources.find(({ metadata }) => metadata.name === name && isOwn(metadata, capp));
}

function events(status: ReadyPart['status'], reason: ReadyPart['reason'], message: string): ReadyPart {
  return { type: 'EventsReady', status, reason, message };
}
