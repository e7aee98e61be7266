// The DNS record of a Capp that no hub has shipped, on a real API server; the test plays the provider.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { RECORDS, type NamedRecord } from '../../../../crds/dns-record.ts';
import { ROLLOUT } from '../../../../crds/labels.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { serveBare } from '../../../support/servers/api/definitions.ts';
import { bringRecord } from '../../../support/servers/site/dns-provider.ts';
import { at, NS, siteTestbed } from '../../../support/testbeds/site/site.ts';
import { serveCappConfig, serveKnative, writeCappConfig } from '../../../support/testbeds/site/site-kinds.ts';

const RESOURCE = RECORDS.Namespaced;

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube);
  await serveCappConfig(testbed.kube);
  await configure({ provider: 'dns-default' });
}, 300_000);

function configure(more: object): Promise<unknown> {
  const dnsConfig = { zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.', ...more };
  return writeCappConfig(testbed.kube, { dnsConfig });
}

const live = (name: string) => testbed.kube.get<NamedRecord>(RESOURCE, at(`${name}.capp-zone.com`));
const there = (name: string) => eventually(async () => (await live(name)) ?? undefined);
const hostname = (name: string) => ({ routeSpec: { hostname: name } });

const brought = (name: string) => bringRecord(testbed.kube, RESOURCE, at(`${name}.capp-zone.com`));

test('a site without the kind says so, and makes the record when the kind comes', async () => {
  await testbed.make('early', hostname('early'));
  await testbed.says('early', 'RecordReady', 'NotServed');
  await serveBare(testbed.kube, RESOURCE);
  expect((await there('early')).spec).toMatchObject({
    forProvider: { name: 'early', zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.', ttl: 60 },
    providerConfigRef: { name: 'dns-default', kind: 'ClusterProviderConfig' },
  });
  await testbed.says('early', 'RecordReady', 'RecordPending');
  await brought('early');
  const { status } = await testbed.says('early', 'RecordReady', 'RecordSynced');
  expect(status?.routeStatus?.dnsRecordObjectStatus?.cnameRecordObjectStatus).toEqual(
    (await there('early')).status,
  );
});

test('W-39 a record that somebody edits by hand leads to the site again at once', async () => {
  const { metadata } = await there('early');
  await testbed.kube.patch(RESOURCE, at(metadata.name), {
    spec: { forProvider: { cname: 'elsewhere.example.com.', ttl: 86_400 } },
  });
  const put = await eventually(async () => {
    const record = await there('early');
    return record.spec?.forProvider?.cname === 'ingress.capp-zone.com.' ? record : undefined;
  });
  expect([put.metadata.uid, put.spec?.forProvider?.ttl]).toEqual([metadata.uid, 60]);
});

test('with another hostname the former record goes, and without one there is none', async () => {
  await testbed.make('edited', hostname('edited'));
  await there('edited');
  await testbed.edit('edited', hostname('renamed'));
  await there('renamed');
  await eventually(async () => ((await live('edited')) === null ? true : undefined));
  await testbed.edit('edited', { routeSpec: null });
  await eventually(async () => ((await live('renamed')) === null ? true : undefined));
});

test('a Capp that a hub ships meanwhile gives its record up: observed first, and then deleted', async () => {
  await testbed.make('shipped', hostname('shipped'));
  const { metadata } = await there('shipped');
  await testbed.kube.patch(CAPP, at('shipped'), {
    metadata: { annotations: { [ROLLOUT]: 'uid-1/1/hash/one' } },
  });
  const observing = await eventually(async () => {
    const record = await live('shipped');
    return record?.spec?.managementPolicies?.[0] === 'Observe' ? record : undefined;
  });
  expect(observing.metadata.uid).toBe(metadata.uid);
  expect(observing.metadata.deletionTimestamp).toBeUndefined();
  await brought('shipped');
  await eventually(async () => ((await live('shipped')) === null ? true : undefined));
});

test('a Capp that a hub ships from the first moment gets no record by its site', async () => {
  const { metadata } = await testbed.make('hubs', {});
  const annotations = { [ROLLOUT]: 'uid-1/1/hash/one' };
  await testbed.kube.patch(CAPP, at('hubs'), { metadata: { annotations }, spec: hostname('hubs') });
  await eventually(async () => {
    const { status } = await testbed.live('hubs');
    return (status?.observedGeneration ?? 0) > (metadata.generation ?? 0) ? true : undefined;
  });
  expect(await live('hubs')).toBeNull();
});

test('a record of somebody else for the name stays, and is the only one', async () => {
  await serveBare(testbed.kube, RECORDS.Cluster);
  const { apiVersion, kind } = RECORDS.Cluster;
  const metadata = { name: 'former.capp-zone.com' };
  await testbed.kube.create(RECORDS.Cluster, { apiVersion, kind, metadata });
  await testbed.make('former', hostname('former'));
  await testbed.says('former', 'RecordReady', 'NameTaken');
  expect(await live('former')).toBeNull();
});

test('a record that container-app-operator made for the Capp gives way, and is deleted only when it observes alone', async () => {
  const { apiVersion, kind } = RECORDS.Cluster;
  const key = { namespace: null, name: 'taken-over.capp-zone.com' };
  const labels = {
    'rcs.dana.io/managed-by': 'capp',
    'rcs.dana.io/parent-capp': 'taken-over',
    'rcs.dana.io/parent-capp-ns': NS,
  };
  // The provider's, which sees what is deleted.
  const finalizers = ['finalizer.managedresource.crossplane.io/x'];
  const forProvider = { name: 'taken-over', zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.' };
  await testbed.kube.create(RECORDS.Cluster, {
    apiVersion,
    kind,
    metadata: { name: key.name, labels, finalizers },
    spec: { forProvider },
  } as never);
  await testbed.make('taken-over', hostname('taken-over'));
  await there('taken-over');
  const former = await eventually(async () => {
    const record = await testbed.kube.get<NamedRecord>(RECORDS.Cluster, key);
    return record?.metadata.deletionTimestamp === undefined ? undefined : record;
  });
  expect(former.spec).toEqual({ forProvider, managementPolicies: ['Observe'] });
});

test.each([
  ['the zone itself', 'apex', 'capp-zone.com'],
  ['the ingress of the site', 'gate', 'ingress'],
])('for %s no record is made', async (_, name, host) => {
  await testbed.make(name, hostname(host));
  await testbed.says(name, 'RecordReady', 'RecordImpossible');
});

test('without a provider in the CappConfig the site makes none, and takes none away', async () => {
  await configure({ provider: null });
  await testbed.make('late', hostname('late'));
  await testbed.edit('early', { ...hostname('early'), scaleSpec: { minReplicas: 2 } });
  for (const name of ['early', 'late'])
    await eventually(async () => {
      const { metadata, status } = await testbed.live(name);
      const said = status?.conditions?.map(({ type }) => type) ?? [];
      return status?.observedGeneration === metadata.generation && !said.includes('RecordReady')
        ? true
        : undefined;
    });
  expect(await live('early')).not.toBeNull();
  expect(await live('late')).toBeNull();
});
