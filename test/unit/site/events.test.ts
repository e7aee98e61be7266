// What sends events to a Capp on its site, and what its status says of that.
import type { Capp } from '../../../crds/capp/capp.ts';
import { parseSpec } from '../../../crds/capp/capp.ts';
import { references } from '../../../crds/capp/references.ts';
import type { KnativeSource } from '../../../crds/kubernetes/eventing.ts';
import { kafkaSources, pingSources } from '../../../site/events/sources.ts';
import { eventingStatus, eventsReady, type SeenSources } from '../../../site/events/status.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { is, type Truth } from '../../support/builders/site/knative.ts';

const PING = { name: 'tick', uri: '/tick', pingSourceConfiguration: { data: '{"a":1}' } };
const KAFKA = {
  name: 'orders',
  kafkaSourceConfiguration: {
    bootstrapServers: ['kafka:9092'],
    topics: ['orders'],
    secretRef: { name: 'kafka' },
  },
};
const labels = { 'rcs.dana.io/parent-capp': 'app', 'rcs.dana.io/managed-by': 'capp' };

function having(sources: readonly object[], more: object = {}): Capp {
  const capp = aCapp({ spec: { ...more, eventSourcesSpec: { sources } } });
  return { ...capp, spec: parseSpec(capp.spec) };
}

describe('a PingSource', () => {
  it('sends its data to the Capp by its schedule, under a name of both', () => {
    expect(pingSources(having([PING, KAFKA]))).toEqual([
      {
        apiVersion: 'sources.knative.dev/v1',
        kind: 'PingSource',
        metadata: {
          name: 'app-tick',
          namespace: 'apps',
          labels,
          ownerReferences: [{ apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', name: 'app', uid: 'uid-1' }],
        },
        spec: {
          schedule: '* * * * *',
          contentType: 'application/json',
          data: '{"a":1}',
          sink: {
            ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'app', namespace: 'apps' },
            uri: '/tick',
          },
        },
      },
    ]);
  });

  it('W-30 does not exist while the Capp is disabled', () => {
    expect(pingSources(having([PING], { state: 'disabled' }))).toEqual([]);
  });
});

describe('a KafkaSource', () => {
  const nobody = (): undefined => undefined;
  const specOf = (capp: Capp, most = 5, groupOf: (name: string) => string | undefined = nobody) =>
    kafkaSources(capp, most, groupOf)[0]?.spec;
  const kafka = (more: object, state = 'enabled') =>
    having([{ ...KAFKA, kafkaSourceConfiguration: { ...KAFKA.kafkaSourceConfiguration, ...more } }], {
      state,
    });

  it('reads its topics as one consumer, in a group of its own, with the user of its Secret', () => {
    expect(specOf(kafka({}))).toEqual({
      bootstrapServers: ['kafka:9092'],
      topics: ['orders'],
      consumerGroup: 'app-orders',
      consumers: 1,
      net: {
        sasl: {
          enable: true,
          user: { secretKeyRef: { name: 'kafka', key: 'user' } },
          password: { secretKeyRef: { name: 'kafka', key: 'password' } },
          type: { secretKeyRef: { name: 'kafka', key: 'sasl.mechanism' } },
        },
        tls: { enable: false },
      },
      sink: {
        ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'app', namespace: 'apps' },
      },
    });
  });

  it('keeps the group that it has, since Knative changes none', () => {
    expect(specOf(kafka({ consumerGroup: 'mine' }))).toMatchObject({ consumerGroup: 'mine' });
    expect(specOf(kafka({ consumerGroup: 'mine' }), 5, () => 'first')).toMatchObject({
      consumerGroup: 'first',
    });
  });

  it('has no more consumers than the site allows, and none while the Capp is disabled', () => {
    expect(specOf(kafka({ consumers: 9 }), 4)).toMatchObject({ consumers: 4 });
    expect(specOf(kafka({ consumers: 3 }), 4)).toMatchObject({ consumers: 3 });
    expect(specOf(kafka({ consumers: 3 }, 'disabled'))).toMatchObject({ consumers: 0 });
  });

  it('has its Secret sent along by the hub', () => {
    expect(references(kafka({})).secrets).toEqual([
      { name: 'kafka', need: 'Expected', by: 'spec.eventSourcesSpec.sources orders' },
    ]);
  });
});

function source(name: string, ready?: Truth, more: Partial<KnativeSource['metadata']> = {}): KnativeSource {
  const conditions = ready === undefined ? [] : [{ ...is('Ready', ready, 'Why'), message: 'm' }];
  return {
    metadata: { name, generation: 1, labels, ...more },
    status: { observedGeneration: 1, conditions },
  };
}
const seen = (sources: readonly KnativeSource[], more: Partial<SeenSources> = {}): SeenSources => ({
  sources,
  most: 5,
  fault: null,
  ...more,
});

describe('EventsReady', () => {
  const both = [source('app-orders', 'True'), source('app-tick', 'True')];
  const fault = { reason: 'NotServed', message: 'm' } as const;
  const greedy = {
    ...KAFKA,
    kafkaSourceConfiguration: { ...KAFKA.kafkaSourceConfiguration, consumers: 9 },
  };
  it.each<[string, Capp, SeenSources, Truth, string, RegExp]>([
    ['is False with the fault', having([PING]), seen(both, { fault }), 'False', 'NotServed', /^m$/],
    [
      'is Unknown before there is a source',
      having([PING]),
      seen([]),
      'Unknown',
      'SourceNotReady',
      /tick.*not looked.* see that Knative Eventing runs .*PingSource app-tick/,
    ],
    [
      'is Unknown until Knative has looked at the newest generation',
      having([PING]),
      seen([source('app-tick', 'True', { generation: 2 })]),
      'Unknown',
      'SourceNotReady',
      /not looked/,
    ],
    [
      'is False with the reason of one that cannot be Ready',
      having([PING, KAFKA]),
      seen([source('app-tick', 'True'), source('app-orders', 'False')]),
      'False',
      'SourceNotReady',
      /orders is not Ready \(Why\)\. Look at KafkaSource app-orders on the site, and correct .*spec\.eventSourcesSpec/,
    ],
    [
      'ignores a source of somebody else',
      having([PING]),
      seen([source('app-tick', 'True', { labels: {} })]),
      'Unknown',
      'SourceNotReady',
      /not looked/,
    ],
    [
      'is False while the Capp is disabled',
      having([PING], { state: 'disabled' }),
      seen([]),
      'False',
      'Disabled',
      /nothing/,
    ],
    [
      'is False when one has fewer consumers than it asks for',
      having([greedy, PING]),
      seen(both),
      'False',
      'LimitExceeded',
      /orders.*has 5\. Lower consumers/,
    ],
    ['is True when all are Ready', having([PING, KAFKA]), seen(both), 'True', 'SourcesReady', /Every source/],
  ])('%s', (_title, capp, world, status, reason, message) => {
    expect(eventsReady(capp, world)).toEqual({
      type: 'EventsReady',
      status,
      reason,
      message: expect.stringMatching(message) as string,
    });
  });

  it('is absent without sources', () => {
    expect(eventsReady(having([]), seen(both))).toBeNull();
    expect(eventsReady(aCapp(), seen(both))).toBeNull();
  });
});

describe('the status of events', () => {
  const NOW = '2026-11-23T08:00:00Z';
  const LATER = '2026-11-23T09:00:00Z';

  it('has the condition of each source, sorted, and none of others', () => {
    const sources = [
      source('app-tick', 'True'),
      source('app-orders'),
      source('other', 'True', { labels: {} }),
    ];
    expect(eventingStatus(having([PING, KAFKA]), seen(sources), NOW)).toEqual({
      eventSources: [
        { name: 'app-orders', condition: { type: 'Ready', status: 'Unknown', lastTransitionTime: NOW } },
        {
          name: 'app-tick',
          condition: { type: 'Ready', status: 'True', reason: 'Why', message: 'm', lastTransitionTime: NOW },
        },
      ],
    });
    expect(eventingStatus(having([]), seen([]), NOW)).toBeUndefined();
  });

  it('keeps its times while nothing changes', () => {
    const world = seen([source('app-tick')]);
    const before = eventingStatus(having([PING]), world, NOW);
    const capp = { ...having([PING]), status: { eventingStatus: before ?? {} } };
    expect(eventingStatus(capp, world, LATER)).toEqual(before);
    expect(eventingStatus(capp, seen([source('app-tick', 'True')]), LATER)).toMatchObject({
      eventSources: [{ condition: { status: 'True', lastTransitionTime: LATER } }],
    });
  });
});

test('W-36 a Kafka source speaks TLS where the Capp asks for it', () => {
  const asking = (tls?: boolean) => {
    const { kafkaSourceConfiguration: own } = KAFKA;
    const source = { ...KAFKA, kafkaSourceConfiguration: { ...own, ...(tls === undefined ? {} : { tls }) } };
    return kafkaSources(having([source]), 5, () => undefined)[0]?.spec;
  };
  expect(asking(true)).toMatchObject({ net: { sasl: { enable: true }, tls: { enable: true } } });
  for (const tls of [false, undefined])
    expect(asking(tls)).toMatchObject({ net: { tls: { enable: false } } });
});
