// What sends events to a Capp, as Knative's PingSources and KafkaSources.
import type { Capp } from '../../crds/capp/capp.ts';
import type { EventSource } from '../../crds/capp/spec/event-sources.ts';
import { KAFKA_SOURCE, PING_SOURCE, type KnativeSource } from '../../crds/kubernetes/eventing.ts';
import { KNATIVE_SERVICE } from '../../crds/kubernetes/knative.ts';
import type { Resource } from '../../kube/resource.ts';
import { ensureAll } from '../objects/ensure-all.ts';
import { ownerOf, ownLabels } from '../objects/owned.ts';
import type { OperatedSite } from '../watched.ts';
import { MOST_CONSUMERS, sourceName, sourcesOf } from './asked.ts';

type Of<Field extends keyof EventSource> = EventSource & {
  readonly [K in Field]-?: NonNullable<EventSource[K]>;
};

/** None for a disabled Capp: there is nobody to send to, and a PingSource cannot be suspended. */
export function pingSources(capp: Capp): readonly KnativeSource[] {
  if (capp.spec.state === 'disabled') return [];
  return sourcesOf(capp)
    .filter((one): one is Of<'pingSourceConfiguration'> => one.pingSourceConfiguration !== undefined)
    .map((source) => {
      const { schedule, data } = source.pingSourceConfiguration;
      return objectOf(capp, PING_SOURCE, source, {
        schedule,
        contentType: 'application/json',
        ...(data === undefined ? {} : { data }),
      });
    });
}

/**
 * A disabled Capp keeps its sources, and with them the place in the topics, without consumers. `groupOf` says
 * the consumer group that a source has already: it cannot be changed.
 */
export function kafkaSources(
  capp: Capp,
  most: number,
  groupOf: (name: string) => string | undefined,
): readonly KnativeSource[] {
  return sourcesOf(capp)
    .filter((one): one is Of<'kafkaSourceConfiguration'> => one.kafkaSourceConfiguration !== undefined)
    .map((source) => {
      const {
        bootstrapServers,
        topics,
        consumerGroup,
        consumers = 1,
        tls = false,
        secretRef,
      } = source.kafkaSourceConfiguration;
      const name = sourceName(capp, source);
      const from = (key: string): object => ({ secretKeyRef: { name: secretRef.name, key } });
      return objectOf(capp, KAFKA_SOURCE, source, {
        bootstrapServers,
        topics,
        consumerGroup: groupOf(name) ?? consumerGroup ?? name,
        consumers: capp.spec.state === 'disabled' ? 0 : Math.min(consumers, most),
        net: {
          sasl: {
            enable: true,
            user: from('user'),
            password: from('password'),
            type: from('sasl.mechanism'),
          },
          tls: { enable: tls },
        },
      });
    });
}

function objectOf(
  capp: Capp,
  { apiVersion, kind }: Resource,
  source: EventSource,
  spec: object,
): KnativeSource {
  const { name, namespace } = capp.metadata;
  const place = namespace === undefined ? {} : { namespace };
  const { apiVersion: version, kind: service } = KNATIVE_SERVICE;
  return {
    apiVersion,
    kind,
    metadata: {
      name: sourceName(capp, source),
      ...place,
      labels: ownLabels(capp),
      ownerReferences: [ownerOf(capp)],
    },
    spec: {
      ...spec,
      sink: {
        ref: { apiVersion: version, kind: service, name, ...place },
        ...(source.uri === undefined ? {} : { uri: source.uri }),
      },
    },
  };
}

/** Throws as `ensureAll` does. A repeat writes nothing. */
export async function claimSources(
  { kube, watched, config }: Pick<OperatedSite, 'kube' | 'watched' | 'config'>,
  capp: Capp,
): Promise<void> {
  const { namespace = '' } = capp.metadata;
  const { pingSources: pings, kafkaSources: kafkas } = watched;
  const groupOf = (name: string): string | undefined => {
    const group = kafkas.served() ? kafkas.get({ namespace, name })?.spec?.['consumerGroup'] : undefined;
    return typeof group === 'string' ? group : undefined;
  };
  const most = config.current()?.maxKafkaConsumers ?? MOST_CONSUMERS;
  const kinds = [
    { resource: PING_SOURCE, known: pings, objects: pingSources(capp) },
    { resource: KAFKA_SOURCE, known: kafkas, objects: kafkaSources(capp, most, groupOf) },
  ];
  const results = await Promise.allSettled(
    kinds.map((kind) => {
      const { kind: name } = kind.resource;
      const absent = `This site does not serve ${name}, so its events do not arrive. Install Knative Eventing on it.`;
      return ensureAll(kube, { capp, ...kind, absent });
    }),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
