// What sends events to a Capp, on a real API server; the test plays Knative Eventing.
import { KAFKA_SOURCE, PING_SOURCE, type KnativeSource } from '../../../crds/kubernetes/eventing.ts';
import type { Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { is } from '../../support/builders/site/knative.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { at, siteTestbed } from '../../support/testbeds/site/site.ts';
import { serveKnative } from '../../support/testbeds/site/site-kinds.ts';

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube);
}, 300_000);

const ping = (name: string, schedule = '* * * * *') => ({ name, pingSourceConfiguration: { schedule } });
const kafka = (name: string, more: object = {}) => ({
  name,
  kafkaSourceConfiguration: {
    bootstrapServers: ['kafka:9092'],
    topics: ['t'],
    secretRef: { name: 'kafka' },
    ...more,
  },
});
const sending = (...sources: object[]) => ({ eventSourcesSpec: { sources } });
const live = (kind: Resource, name: string) => testbed.kube.get<KnativeSource>(kind, at(name));
const there = (kind: Resource, name: string) => eventually(async () => (await live(kind, name)) ?? undefined);
const gone = (kind: Resource, name: string) =>
  eventually(async () => ((await live(kind, name)) === null ? true : undefined));

async function ready(kind: Resource, name: string, status: 'True' | 'False'): Promise<void> {
  const { metadata } = await there(kind, name);
  const conditions = [is('Ready', status, 'Because')];
  await testbed.kube.patch(
    kind,
    at(name),
    { status: { observedGeneration: metadata.generation, conditions } },
    { subresource: 'status' },
  );
}

test('without Knative Eventing a Capp with sources says NotServed, is deployed all the same, and gets each source as its kind is served', async () => {
  await testbed.make('early', sending(ping('tick'), kafka('orders')));
  await testbed.says('early', 'EventsReady', 'NotServed');
  await testbed.says('early', 'Ready', 'Deploying');
  await serveBare(testbed.kube, PING_SOURCE);
  await there(PING_SOURCE, 'early-tick');
  await testbed.says('early', 'EventsReady', 'NotServed');
  await serveBare(testbed.kube, KAFKA_SOURCE);
  await there(KAFKA_SOURCE, 'early-orders');
  await testbed.says('early', 'EventsReady', 'SourceNotReady');
}, 300_000);

test('EventsReady and the status follow the sources', async () => {
  await testbed.make('shop', sending(ping('tick'), kafka('orders')));
  await ready(PING_SOURCE, 'shop-tick', 'True');
  await ready(KAFKA_SOURCE, 'shop-orders', 'True');
  const capp = await testbed.says('shop', 'EventsReady', 'SourcesReady');
  expect(capp.status?.eventingStatus).toMatchObject({
    eventSources: [
      { name: 'shop-orders', condition: { type: 'Ready', status: 'True', reason: 'Because' } },
      { name: 'shop-tick', condition: { type: 'Ready', status: 'True' } },
    ],
  });
  await ready(KAFKA_SOURCE, 'shop-orders', 'False');
  await testbed.says('shop', 'EventsReady', 'SourceNotReady');
});

test('an edit changes one source and removes another, and keeps the consumer group', async () => {
  await testbed.make(
    'edited',
    sending(ping('tick'), ping('tock'), kafka('orders', { consumerGroup: 'first' })),
  );
  await there(PING_SOURCE, 'edited-tock');
  await there(KAFKA_SOURCE, 'edited-orders');
  const spec = sending(
    ping('tick', '0 8 * * *'),
    kafka('orders', { consumerGroup: 'second', topics: ['other'] }),
  );
  await testbed.edit('edited', spec);
  await gone(PING_SOURCE, 'edited-tock');
  await eventually(async () => {
    expect((await live(PING_SOURCE, 'edited-tick'))?.spec).toMatchObject({ schedule: '0 8 * * *' });
    expect((await live(KAFKA_SOURCE, 'edited-orders'))?.spec).toMatchObject({
      topics: ['other'],
      consumerGroup: 'first',
    });
    return true;
  });
});

test('a disabled Capp gets no events, and again those that it asks for when it is enabled', async () => {
  const consumers = async (): Promise<unknown> =>
    (await live(KAFKA_SOURCE, 'idle-orders'))?.spec?.['consumers'];
  await testbed.make('idle', sending(ping('tick'), kafka('orders', { consumers: 2 })));
  await there(PING_SOURCE, 'idle-tick');
  await testbed.edit('idle', { state: 'disabled' });
  await gone(PING_SOURCE, 'idle-tick');
  await eventually(async () => ((await consumers()) === 0 ? true : undefined));
  await testbed.says('idle', 'EventsReady', 'Disabled');
  await testbed.edit('idle', { state: 'enabled' });
  await there(PING_SOURCE, 'idle-tick');
  await eventually(async () => ((await consumers()) === 2 ? true : undefined));
});

test('W-16 two Capps whose sources have one name: the first one keeps it, and the other gets it when it is free', async () => {
  await testbed.make('a-b', sending(ping('c')));
  const { metadata } = await there(PING_SOURCE, 'a-b-c');
  await testbed.make('a', sending(ping('b-c')));
  await testbed.says('a', 'EventsReady', 'NameTaken');
  expect((await live(PING_SOURCE, 'a-b-c'))?.metadata.resourceVersion).toBe(metadata.resourceVersion);
  await testbed.edit('a-b', { eventSourcesSpec: null });
  await eventually(async () => {
    const found = await live(PING_SOURCE, 'a-b-c');
    return found !== null && found.metadata.uid !== metadata.uid ? true : undefined;
  });
  await testbed.says('a', 'EventsReady', 'SourceNotReady');
});

test.each([
  ['both kinds in one', sending({ ...ping('x'), ...kafka('x') })],
  ['neither', sending({ name: 'x' })],
  ['a path without its slash', sending({ ...ping('x'), uri: 'a' })],
  ['two of one name', sending(ping('x'), ping('x'))],
  ['no topics', sending(kafka('x', { topics: [] }))],
  ['no Secret for Kafka', sending(kafka('x', { secretRef: { name: '' } }))],
])('the API server refuses sources with %s', async (_, spec) => {
  await expect(testbed.make('refused', spec)).rejects.toThrow(/422/);
});
