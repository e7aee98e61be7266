// The events on a site's Capps: once a change, whatever the watches repeat, and never without bound.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Event } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Change } from '../../../kube/watch/store.ts';
import { MOST_WAITING, recorder, type Recorded } from '../../../site/recorder.ts';
import { eventually } from '../../../testbed/eventually.ts';

type Listener = (change: Change<KubeObject>) => void;

const CAPP = { metadata: { namespace: 'apps', name: 'shop', uid: 'u' }, spec: { state: 'enabled' } };
const MAPPING = {
  apiVersion: 'v1',
  kind: 'K',
  metadata: {
    namespace: 'apps',
    name: 'shop.example.com',
    uid: 'm',
    labels: { 'rcs.dana.io/parent-capp': 'shop' },
    annotations: { 'rcs.dana.io/applied': 'h' },
  },
};

/** A recorder on caches that say what the test has them say. */
function recording(create: (event: Event) => Promise<unknown>) {
  const listeners: Listener[] = [];
  const quiet = { subscribe: () => undefined };
  const watched = {
    capps: { get: () => CAPP as unknown as Capp },
    services: quiet,
    nfsPvcs: quiet,
    domainMappings: { subscribe: (listener: Listener) => listeners.push(listener) },
    certificates: quiet,
    syslogNgFlows: quiet,
    syslogNgOutputs: quiet,
    pingSources: quiet,
    kafkaSources: quiet,
  } as unknown as Recorded;
  const dropped: string[] = [];
  const kube = { create: (_kind: unknown, event: Event) => create(event) } as unknown as Kube;
  const events = recorder(kube, watched, (reason) => dropped.push(reason));
  events.start();
  const say = (type: string, object: object): void =>
    listeners.forEach((listener) => listener({ type, object } as Change<KubeObject>));
  return { events, say, dropped };
}

test('what a watch repeats after a restart has the same name, so that the API server refuses it', async () => {
  const names: string[] = [];
  const { say } = recording(async (event) => {
    names.push(event.metadata.name);
    if (names.length > 1) throw new Error('AlreadyExists');
  });
  say('Added', MAPPING);
  await eventually(() => (names.length === 1 ? true : undefined));
  say('Modified', MAPPING);
  say('Added', MAPPING);
  await eventually(() => (names.length === 2 ? true : undefined));
  expect(new Set(names).size).toBe(1);
});

test('what somebody else made is not recorded as made by us', async () => {
  const names: string[] = [];
  const { say } = recording(async (event) => names.push(event.note ?? ''));
  say('Added', { ...MAPPING, metadata: { ...MAPPING.metadata, annotations: {} } });
  say('Added', { ...MAPPING, metadata: { ...MAPPING.metadata, name: 'ours', uid: 'n' } });
  await eventually(() => (names.length > 0 ? true : undefined));
  expect(names).toEqual(['Created DomainMapping ours']);
});

test('no more events wait than are kept in memory while the API server is slow, and those dropped are counted', () => {
  const { say, dropped } = recording(() => new Promise(() => undefined));
  for (let n = 0; n < MOST_WAITING + 20; n += 1)
    say('Added', { ...MAPPING, metadata: { ...MAPPING.metadata, uid: `m${n}` } });
  expect(dropped.length).toBeGreaterThanOrEqual(19);
  expect(new Set(dropped)).toEqual(new Set(['DomainMappingCreated']));
});

test('a note keeps to what the API server takes, in bytes, and is recorded only when it changes', async () => {
  const notes: string[] = [];
  const { events } = recording(async (event) => notes.push(event.note ?? ''));
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const refused = {
    type: 'RouteReady',
    status: 'False',
    reason: 'Refused',
    message: '…'.repeat(2000),
    lastTransitionTime,
  } as const;
  const capp = CAPP as unknown as Capp;
  events.published(capp, { conditions: [refused] });
  events.published({ ...capp, status: { conditions: [refused] } }, { conditions: [refused] });
  await eventually(() => (notes.length > 0 ? true : undefined));
  expect(notes).toHaveLength(1);
  expect(Buffer.byteLength(notes[0] ?? '')).toBeLessThanOrEqual(1024);
});
