// The DNS record of a Capp without a hub, on a real API server that serves only the cluster-scoped kind,
// which container-app-operator v0.3.6 uses; the test plays the provider.
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { RECORDS, type NamedRecord } from '../../../../crds/dns-record.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { ROLLOUT } from '../../../../crds/labels.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { serveBare } from '../../../support/servers/api/definitions.ts';
import { bringRecord } from '../../../support/servers/site/dns-provider.ts';
import { at, NS, siteTestbed } from '../../../support/testbeds/site/site.ts';
import {
  CONFIG_KEY,
  serveCappConfig,
  serveKnative,
  writeCappConfig,
} from '../../../support/testbeds/site/site-kinds.ts';

const RESOURCE = RECORDS.Cluster;
const FINALIZER = 'rcs.dana.io/dns-record';
const OTHERS = 'others';
const DNS = { zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.', provider: 'dns-default' };

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube, RESOURCE);
  await serveCappConfig(testbed.kube);
  await testbed.kube.create(NAMESPACE, { metadata: { name: OTHERS } });
  await configure(DNS);
}, 300_000);

function configure(dnsConfig: object): Promise<unknown> {
  return writeCappConfig(testbed.kube, { dnsConfig });
}

const key = (name: string) => ({ namespace: null, name: `${name}.capp-zone.com` });
const live = (name: string) => testbed.kube.get<NamedRecord>(RESOURCE, key(name));
const there = (name: string) => eventually(async () => (await live(name)) ?? undefined);
const gone = (name: string) => eventually(async () => ((await live(name)) === null ? true : undefined));
const hostname = (name: string) => ({ routeSpec: { hostname: name } });
const finalizersOf = async (name: string) => (await testbed.live(name)).metadata.finalizers ?? [];
const released = (name: string) =>
  eventually(async () => ((await finalizersOf(name)).length === 0 ? true : undefined));
const cappGone = (name: string) =>
  eventually(async () => ((await testbed.kube.get(CAPP, at(name))) === null ? true : undefined));

async function until(name: string, isSo: (record: NamedRecord) => boolean): Promise<NamedRecord> {
  return eventually(async () => {
    const record = await live(name);
    return record !== null && isSo(record) ? record : undefined;
  });
}

/** A record that somebody else has made, or a provider holds. */
function put(name: string, metadata: object, more: object = {}): Promise<NamedRecord> {
  const { apiVersion, kind } = RESOURCE;
  const forProvider = { name, zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.', ...more };
  const object = { apiVersion, kind, metadata: { name: key(name).name, ...metadata }, spec: { forProvider } };
  return testbed.kube.create<NamedRecord>(RESOURCE, object);
}

const brought = (name: string) => bringRecord(testbed.kube, RESOURCE, key(name));

/** As v0.3.6 labels it. */
const labelsOf = (capp: string) => ({
  'rcs.dana.io/managed-by': 'capp',
  'rcs.dana.io/parent-capp': capp,
  'rcs.dana.io/parent-capp-ns': NS,
});

test('where only the cluster-scoped kind is served a Capp gets its record in it, and a finalizer', async () => {
  await testbed.make('early', hostname('early'));
  const { metadata, spec } = await there('early');
  expect(spec).toEqual({
    forProvider: { name: 'early', zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.', ttl: 60 },
    providerConfigRef: { name: 'dns-default' },
    managementPolicies: ['*'],
  });
  const { uid } = (await testbed.live('early')).metadata;
  expect(metadata.labels).toEqual({ ...labelsOf('early'), 'rcs.dana.io/capp-uid': uid });
  expect(metadata.ownerReferences).toBeUndefined();
  expect(await finalizersOf('early')).toEqual([FINALIZER]);
  await testbed.says('early', 'RecordReady', 'RecordPending');
  await brought('early');
  const { status } = await testbed.says('early', 'RecordReady', 'RecordSynced');
  expect(status?.routeStatus?.dnsRecordObjectStatus?.cnameRecordObjectStatus).toEqual(
    (await there('early')).status,
  );
});

test('W-39 what somebody edits of a cluster-scoped record is put right at once', async () => {
  const { metadata } = await there('early');
  await testbed.kube.patch(RESOURCE, key('early'), {
    metadata: { labels: { 'rcs.dana.io/parent-capp': null, 'rcs.dana.io/managed-by': null } },
    spec: {
      forProvider: { cname: 'elsewhere.example.com.', ttl: 86_400 },
      managementPolicies: ['Observe'],
    },
  });
  const right = await until('early', ({ spec }) => spec?.forProvider?.cname === 'ingress.capp-zone.com.');
  expect([right.metadata.uid, right.metadata.labels]).toEqual([metadata.uid, metadata.labels]);
  expect([right.spec?.forProvider?.ttl, right.spec?.managementPolicies]).toEqual([60, ['*']]);
  await testbed.kube.remove(RESOURCE, key('early'));
  await until('early', (record) => record.metadata.uid !== metadata.uid);
});

test('a Capp with a cluster-scoped record is not written at rest', async () => {
  await testbed.operator.idle();
  const before = await testbed.atRest(async () => [await testbed.live('early'), await live('early')]);
  await testbed.restart();
  await testbed.operator.idle();
  expect([await testbed.live('early'), await live('early')]).toEqual(before);
});

test('with another hostname the former cluster-scoped record goes, and without one the finalizer too', async () => {
  await testbed.make('edited', hostname('edited'));
  await there('edited');
  await testbed.edit('edited', hostname('renamed'));
  await there('renamed');
  await gone('edited');
  expect(await finalizersOf('edited')).toEqual([FINALIZER]);
  await testbed.edit('edited', { routeSpec: null });
  await gone('renamed');
  await released('edited');
});

test('a deleted Capp takes its cluster-scoped record along, also without a CappConfig and if no operator ran', async () => {
  await testbed.make('ended', hostname('ended'));
  await there('ended');
  await testbed.kube.remove(CAPP_CONFIG, CONFIG_KEY);
  await testbed.operator.stop();
  await testbed.kube.remove(CAPP, at('ended'));
  expect((await testbed.live('ended')).metadata.deletionTimestamp).toBeDefined();
  await testbed.restart();
  await cappGone('ended');
  expect(await live('ended')).toBeNull();
  expect(await live('early')).not.toBeNull();
  await configure(DNS);
});

test('of two namespaces that ask for one name the first has it, and when it goes the other gets it', async () => {
  await testbed.make('first', hostname('shared'));
  await brought('shared');
  const before = await there('shared');
  const second = { namespace: OTHERS, name: 'first' };
  const { apiVersion, kind, spec } = await testbed.live('first');
  await testbed.kube.create<Capp>(CAPP, { apiVersion, kind, metadata: second, spec });
  await eventually(async () => {
    const { status } = (await testbed.kube.get<Capp>(CAPP, second)) ?? {};
    return status?.conditions?.some(({ reason, type }) => type === 'RecordReady' && reason === 'NameTaken')
      ? true
      : undefined;
  });
  expect(await live('shared')).toEqual(before);
  await testbed.kube.remove(CAPP, at('first'));
  await until('shared', ({ metadata }) => metadata.labels?.['rcs.dana.io/parent-capp-ns'] === OTHERS);
  await testbed.kube.remove(CAPP, second);
  await gone('shared');
});

test('a cluster-scoped record of somebody else stays, and the Capp gets the name when it goes', async () => {
  const before = await put('foreign', {
    labels: { ...labelsOf('foreign'), 'rcs.dana.io/parent-capp-ns': 'x' },
  });
  await testbed.make('foreign', hostname('foreign'));
  await testbed.says('foreign', 'RecordReady', 'NameTaken');
  expect(await live('foreign')).toEqual(before);
  await testbed.kube.remove(RESOURCE, key('foreign'));
  await until('foreign', ({ metadata }) => metadata.uid !== before.metadata.uid);
});

test('a record that container-app-operator made for the Capp is taken over as the same object', async () => {
  const before = await put('older', { labels: labelsOf('older') });
  await testbed.make('older', hostname('older'));
  const after = await until('older', ({ spec }) => spec?.forProvider?.ttl === 60);
  expect(after.metadata.uid).toBe(before.metadata.uid);
  await eventually(async () => ((await finalizersOf('older')).includes(FINALIZER) ? true : undefined));
  await testbed.kube.remove(CAPP, at('older'));
  await gone('older');
});

test('a record that container-app-operator made under a former hostname goes with the Capp', async () => {
  await put('stale', { labels: labelsOf('stale-one') });
  await testbed.make('stale-one', hostname('fresh'));
  await there('fresh');
  await testbed.kube.remove(CAPP, at('stale-one'));
  await cappGone('stale-one');
  expect([await live('stale'), await live('fresh')]).toEqual([null, null]);
});

test('a Capp that a hub ships meanwhile gives a cluster-scoped record up: observed first, and then deleted', async () => {
  await testbed.make('shipped', hostname('shipped'));
  const { metadata } = await there('shipped');
  await testbed.kube.patch(CAPP, at('shipped'), {
    metadata: { annotations: { [ROLLOUT]: 'uid-1/1/hash/one' } },
  });
  const observing = await until('shipped', ({ spec }) => spec?.managementPolicies?.[0] === 'Observe');
  expect([observing.metadata.uid, observing.metadata.deletionTimestamp]).toEqual([metadata.uid, undefined]);
  expect(await finalizersOf('shipped')).toEqual([FINALIZER]);
  await brought('shipped');
  await gone('shipped');
  await released('shipped');
});

test('if a Capp that a hub ships is deleted before the provider has heard, the name stays in DNS', async () => {
  await testbed.make('hasty', hostname('hasty'));
  await there('hasty');
  await testbed.kube.patch(RESOURCE, key('hasty'), { metadata: { finalizers: ['example.com/provider'] } });
  await testbed.kube.patch(CAPP, at('hasty'), {
    metadata: { annotations: { [ROLLOUT]: 'uid-1/1/hash/one' } },
  });
  await testbed.kube.remove(CAPP, at('hasty'));
  await cappGone('hasty');
  const left = await there('hasty');
  expect(left.metadata.deletionTimestamp).toBeDefined();
  expect(left.spec?.managementPolicies).toEqual(['Observe']);
  await testbed.kube.patch(RESOURCE, key('hasty'), { metadata: { finalizers: null } });
});

test('when the namespaced kind is served it takes over: the cluster-scoped record only observes, and goes', async () => {
  await testbed.make('mover', hostname('mover'));
  await there('mover');
  await testbed.kube.patch(RESOURCE, key('mover'), { metadata: { finalizers: ['example.com/provider'] } });
  await serveBare(testbed.kube, RECORDS.Namespaced);
  await eventually(
    async () => (await testbed.kube.get(RECORDS.Namespaced, at('mover.capp-zone.com'))) ?? undefined,
  );
  const left = await until('mover', ({ metadata }) => metadata.deletionTimestamp !== undefined);
  expect(left.spec?.managementPolicies).toEqual(['Observe']);
  await testbed.kube.patch(RESOURCE, key('mover'), { metadata: { finalizers: null } });
  await gone('early');
  for (const name of ['mover', 'early']) await released(name);
});
