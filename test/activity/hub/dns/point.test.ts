// The DNS record of a Capp on a real API server; the test plays the provider, as provider-dns-v2 v1.0.2 says
// it.
import { dropRecords, hubPoint } from '../../../../activities/hub/dns/point.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CAPP_UID } from '../../../../crds/labels.ts';
import { RECORDS, type CnameRecord, type RecordKind } from '../../../../crds/dns-record.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { serveBare } from '../../../support/servers/api/definitions.ts';
import { startDnsRecords, type DnsRecords } from '../../../support/testbeds/activities/dns-records.ts';

let bed: DnsRecords;
let testbed: DnsRecords['testbed'];
let live: DnsRecords['live'];
let options: DnsRecords['options'];
let make: DnsRecords['make'];
beforeAll(async () => {
  bed = await startDnsRecords();
  ({ testbed, live, options, make } = bed);
}, 300_000);
afterAll(() => testbed?.stop());

test('a hub without the kind says so, and does nothing else', async () => {
  const ref = await make('unserved');
  expect(await hubPoint(options()).point(ref, 'site-1', {})).toMatchObject({
    outcome: 'Pending',
    reason: 'NotServed',
    isThere: false,
  });
});

describe.each<RecordKind>(['Namespaced', 'Cluster'])('with the kind %s', (kind) => {
  const own = kind.toLowerCase();
  const point = (ref: CappRef, to: string) => hubPoint(options(kind)).point(ref, to, {});
  const name = `moves-${own}.capp-zone.com`;
  beforeAll(() => serveBare(testbed.kube, RECORDS[kind]));

  test('the record is made, synced, and in a move changed: never deleted and made again', async () => {
    const ref = await make(`moves-${own}`);
    expect(await point(ref, 'site-1')).toMatchObject({
      outcome: 'Pending',
      reason: 'RecordPending',
      isThere: true,
    });
    const first = await live(name, kind);
    expect(first?.spec?.forProvider).toEqual({
      name: `moves-${own}`,
      zone: 'capp-zone.com.',
      cname: 'site-1.ingress.example.com.',
      ttl: 60,
    });
    await bed.brought(name, kind);
    expect(await point(ref, 'site-1')).toMatchObject({ outcome: 'Synced', ttlSeconds: 60 });
    await bed.servesOn(ref, 'site-2');
    // The provider still says Synced of what it was.
    expect(await point(ref, 'site-2')).toMatchObject({ outcome: 'Pending', isThere: true });
    expect(await point(ref, 'site-2')).toMatchObject({ outcome: 'Pending', isThere: true });
    await bed.brought(name, kind);
    expect(await point(ref, 'site-2')).toMatchObject({ outcome: 'Synced' });
    const last = await live(name, kind);
    expect(last?.metadata.uid).toBe(first?.metadata.uid);
    expect(last?.spec?.forProvider?.cname).toBe('site-2.ingress.example.com.');
  });

  test('nothing is written when nothing has changed, whatever the provider has added', async () => {
    const before = await live(name, kind);
    const key = bed.keyOf(name, kind);
    const spec = { managementPolicies: ['*'], forProvider: { extra: 'late' } };
    const added = await testbed.kube.patch<CnameRecord>(RECORDS[kind], key, { spec });
    const ref = {
      namespace: 'apps',
      name: `moves-${own}`,
      uid: (await testbed.read({ namespace: 'apps', name: `moves-${own}`, uid: '' })).metadata.uid ?? '',
    };
    expect(await point(ref, 'site-2')).toMatchObject({ outcome: 'Synced' });
    expect((await live(name, kind))?.metadata.resourceVersion).toBe(added.metadata.resourceVersion);
    expect(before?.metadata.uid).toBe(added.metadata.uid);
  });

  test('a try that comes late does not lead users to a site that the status no longer names', async () => {
    const uid = (await testbed.read({ namespace: 'apps', name: `moves-${own}`, uid: '' })).metadata.uid ?? '';
    const late = await point({ namespace: 'apps', name: `moves-${own}`, uid }, 'site-1');
    expect(late).toMatchObject({ outcome: 'Pending', isThere: true });
    expect((await live(name, kind))?.spec?.forProvider?.cname).toBe('site-2.ingress.example.com.');
  });

  test('with another hostname the record of the former one goes when the new one is there', async () => {
    const ref = await make(`edited-${own}`);
    await point(ref, 'site-1');
    await testbed.kube.patch(CAPP, ref, { spec: { routeSpec: { hostname: `other-${own}` } } });
    await point(ref, 'site-1');
    expect(await live(`edited-${own}.capp-zone.com`, kind)).toBeNull();
    expect(await live(`other-${own}.capp-zone.com`, kind)).not.toBeNull();
    await testbed.kube.patch(CAPP, ref, { spec: { routeSpec: { hostname: null } } });
    expect(await point(ref, 'site-1')).toEqual({ outcome: 'None' });
    expect(await live(`other-${own}.capp-zone.com`, kind)).toBeNull();
  });

  const strip = (record: string, labels: object | null) =>
    testbed.kube.patch(RECORDS[kind], bed.keyOf(record, kind), { metadata: { labels } });

  test('a record that has lost its label in a move is led on, marked again, and nobody has followed it before', async () => {
    const ref = await make(`stripped-${own}`);
    const record = `stripped-${own}.capp-zone.com`;
    await point(ref, 'site-1');
    await bed.brought(record, kind);
    expect(await point(ref, 'site-1')).toMatchObject({ outcome: 'Synced' });
    const first = await live(record, kind);
    await strip(record, { [CAPP_UID]: null });
    expect(await point(ref, 'site-2')).toMatchObject({ reason: 'RecordPending', isThere: true });
    await bed.servesOn(ref, 'site-2');
    expect(await point(ref, 'site-2')).toMatchObject({ reason: 'RecordPending', isThere: true });
    const second = await live(record, kind);
    expect(second?.metadata).toMatchObject({ uid: first?.metadata.uid, labels: first?.metadata.labels });
    expect(second?.spec?.forProvider?.cname).toBe('site-2.ingress.example.com.');
    await bed.brought(record, kind);
    expect(await point(ref, 'site-2')).toMatchObject({ outcome: 'Synced' });
  });

  test('while a record that says nothing of its owner leads to the old site, nobody takes users for led away', async () => {
    const record = `bare-${own}.capp-zone.com`;
    const ref = await make(`bare-${own}`);
    await point(ref, 'site-1');
    const key = bed.keyOf(record, kind);
    await testbed.kube.patch(RECORDS[kind], key, { metadata: { labels: null, ownerReferences: null } });
    await bed.servesOn(ref, 'site-2');
    const before = await live(record, kind);
    expect(await point(ref, 'site-2')).toMatchObject({ reason: 'NameTaken', isThere: true });
    expect(await live(record, kind)).toEqual(before);
  });

  test('a record that has lost its uid goes with its Capp', async () => {
    const record = `parting-${own}.capp-zone.com`;
    const ref = await make(`parting-${own}`);
    await point(ref, 'site-1');
    await strip(record, { [CAPP_UID]: null });
    await dropRecords(options(kind), ref);
    // One in a namespace goes with its owner.
    expect(await live(record, kind)).toEqual(kind === 'Cluster' ? null : expect.anything());
  });

  test("somebody else's record of that name stays as it is", async () => {
    const taken = `taken-${own}.capp-zone.com`;
    await bed.createRecord(taken, kind, { mine: true });
    const ref = await make(`taken-${own}`);
    expect(await point(ref, 'site-1')).toMatchObject({
      outcome: 'Pending',
      reason: 'NameTaken',
      isThere: false,
    });
    expect((await live(taken, kind))?.spec).toEqual({ mine: true });
  });
});

test('a site that claims a name that is not allowed changes nothing, and the record stays where it leads', async () => {
  const ref = await make('claims');
  await hubPoint(options()).point(ref, 'site-1', {});
  const before = await live('claims.capp-zone.com');
  await bed.servesOn(ref, 'site-2');
  const strict = options('Namespaced', 'site-1.ingress.example.com');
  expect(await hubPoint(strict).point(ref, 'site-2', {})).toMatchObject({
    outcome: 'Pending',
    reason: 'TargetRefused',
    isThere: true,
  });
  expect(await live('claims.capp-zone.com')).toEqual(before);
});

test.each(['RCSConfig', 'ManagedCluster'])(
  'while the cache is behind the %s that rang, nothing is written',
  async (kind) => {
    const ref = await make(`behind-${kind.toLowerCase()}`);
    const answer = await hubPoint(options()).point(ref, 'site-1', { [kind]: 'ahead' });
    expect(answer).toMatchObject({ outcome: 'Pending', reason: 'RecordPending' });
    expect(await live(`behind-${kind.toLowerCase()}.capp-zone.com`)).toBeNull();
  },
);

test('a hostname that is not the Capp’s gets no record, whoever let it in', async () => {
  const ref = await make('stolen');
  const owner = aCapp({ namespace: 'bank', name: 'owner', spec: { routeSpec: { hostname: 'stolen' } } });
  const metadata = { ...owner.metadata, creationTimestamp: '2020-01-01T00:00:00Z' };
  bed.others.push({ ...owner, metadata });
  expect(await hubPoint(options()).point(ref, 'site-1', {})).toMatchObject({
    outcome: 'Pending',
    reason: 'NameTaken',
    message: expect.stringContaining('belongs to Capp bank/owner'),
  });
  bed.others.length = 0;
  const closed = options();
  const known = closed.caches.configs.get(RCS_CONFIG_KEY);
  const domains = [{ domain: 'capp-zone.com', namespaces: ['bank'] }];
  const configs = {
    ...closed.caches.configs,
    get: () => known && { ...known, spec: { ...known.spec, domains } },
  };
  const strict = { ...closed, caches: { ...closed.caches, configs } };
  expect(await hubPoint(strict).point(ref, 'site-1', {})).toMatchObject({
    outcome: 'Pending',
    reason: 'RecordImpossible',
    message: expect.stringContaining('not open to namespace apps'),
  });
  expect(await live('stolen.capp-zone.com')).toBeNull();
  await hubPoint(options()).point(ref, 'site-1', {});
  const before = await live('stolen.capp-zone.com');
  expect(before).not.toBeNull();
  await hubPoint(strict).point(ref, 'site-1', {});
  expect(await live('stolen.capp-zone.com')).toEqual(before);
});

test('a Capp that is gone, and a hub that keeps no records, ask for none', async () => {
  const ref = await make('none');
  expect(await hubPoint(options(null)).point(ref, 'site-1', {})).toEqual({ outcome: 'None' });
  expect(await hubPoint(options()).point({ ...ref, uid: 'another' }, 'site-1', {})).toEqual({
    outcome: 'None',
  });
  expect(await live('none.capp-zone.com')).toBeNull();
});

test.each<RecordKind>(['Namespaced', 'Cluster'])(
  'a record of the kind %s stays as it is when the RCSConfig says nothing of DNS any more',
  async (kind) => {
    const name = `kept-${kind.toLowerCase()}`;
    const ref = await make(name);
    await hubPoint(options(kind)).point(ref, 'site-1', {});
    const before = await live(`${name}.capp-zone.com`, kind);
    expect(before).not.toBeNull();
    await bed.servesOn(ref, 'site-2');
    expect(await hubPoint(options(null)).point(ref, 'site-2', {})).toEqual({ outcome: 'None' });
    await dropRecords(options(null), ref);
    expect(await live(`${name}.capp-zone.com`, kind)).toEqual(before);
  },
);

test('the cluster-scoped record goes with its Capp, which garbage collection cannot do', async () => {
  const ref = await make('goes');
  await hubPoint(options('Cluster')).point(ref, 'site-1', {});
  expect(await live('goes.capp-zone.com', 'Cluster')).not.toBeNull();
  await dropRecords(options('Cluster'), ref);
  await dropRecords(options('Cluster'), ref);
  expect(await live('goes.capp-zone.com', 'Cluster')).toBeNull();
  expect(await live('moves-cluster.capp-zone.com', 'Cluster')).not.toBeNull();
});
