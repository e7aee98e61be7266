// The DNS record that the hub makes for a Capp: its name, where it may lead, and what it never is.
import { readFileSync } from 'node:fs';
import { isSynced } from '../../../activities/hub/dns/point.ts';
import { asksForRecord, recordName, renderRecord, targetOn } from '../../../activities/hub/dns/render.ts';
import { INGRESS_CLAIM } from '../../../crds/ocm/cluster-claim.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { RcsConfigSpec, type DnsConfig } from '../../../crds/hub/rcs-config.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CnameRecord } from '../../../crds/dns-record.ts';
import { containsAll } from '../../../kube/resource.ts';
import { aCapp } from '../../support/builders/capps.ts';

const DNS: DnsConfig = {
  zone: 'Capp-Zone.com.',
  provider: 'dns-default',
  ttlSeconds: 30,
  allowedTargets: ['*.ingress.example.com', 'gate.example.org.'],
};

function named(hostname: string, name = 'app'): Capp {
  const capp = aCapp({ name });
  return { ...capp, spec: { ...capp.spec, routeSpec: { hostname } } };
}

const claiming = (value: string): ManagedCluster => ({
  metadata: { name: 'site-1' },
  status: { clusterClaims: [{ name: INGRESS_CLAIM, value }] },
});

test.each([
  ['a bare hostname', 'shop', 'shop.capp-zone.com'],
  ['a hostname in the zone', 'Shop.capp-zone.com.', 'shop.capp-zone.com'],
  ['a hostname that only ends like the zone', 'mycapp-zone.com', 'mycapp-zone.com.capp-zone.com'],
  ['the zone itself', 'capp-zone.com', 'capp-zone.com'],
  ['none', '', null],
  ['what is no domain name', 'sh op', null],
])('of %s the record has the name that the site answers for', (_, hostname, name) => {
  expect(recordName(named(hostname), DNS)).toBe(name);
  expect(asksForRecord(named(hostname), DNS)).toBe(name !== null);
  expect(asksForRecord(named(hostname), undefined)).toBe(false);
});

test.each<[string, ManagedCluster | undefined, string]>([
  ['that an entry names', claiming('gate.example.org'), 'gate.example.org'],
  ['in a domain that an entry names', claiming('site-1.ingress.example.com'), 'site-1.ingress.example.com'],
  ['that only ends like an allowed domain', claiming('evil-ingress.example.com'), 'TargetRefused'],
  ['that is an allowed domain itself', claiming('ingress.example.com'), 'TargetRefused'],
  ["that is another tenant's name", claiming('other.capp-zone.com'), 'TargetRefused'],
  ['that is no domain name', claiming('x y'), 'NoIngressName'],
  ['at all, from a cluster that is gone', undefined, 'NoIngressName'],
])('a site may lead users to a name %s, or not', (_, cluster, outcome) => {
  const target = targetOn('site-1', cluster, DNS);
  expect(typeof target === 'string' ? target : target.reason).toBe(outcome);
});

test('the record has the parts that the provider asks for, and goes with its Capp', () => {
  const capp = named('shop');
  expect(
    renderRecord(capp, 'shop.capp-zone.com', 'site-1.ingress.example.com', { dns: DNS, ingresses: [] }),
  ).toMatchObject({
    apiVersion: 'record.dns-v2.m.crossplane.io/v1alpha1',
    kind: 'CNAMERecord',
    metadata: {
      name: 'shop.capp-zone.com',
      namespace: 'apps',
      ownerReferences: [{ kind: 'Capp', name: 'app', uid: capp.metadata.uid }],
      labels: { 'rcs.dana.io/parent-capp': 'app', 'rcs.dana.io/parent-capp-ns': 'apps' },
    },
    spec: {
      forProvider: { name: 'shop', zone: 'capp-zone.com.', cname: 'site-1.ingress.example.com.', ttl: 30 },
      providerConfigRef: { kind: 'ClusterProviderConfig', name: 'dns-default' },
    },
  });
});

test('the cluster-scoped kind has neither a namespace nor an owner in one', () => {
  const record = renderRecord(named('shop'), 'shop.capp-zone.com', 'gate.example.org', {
    dns: { ...DNS, kind: 'Cluster' },
    ingresses: [],
  });
  expect(record).toMatchObject({
    apiVersion: 'record.dns.crossplane.io/v1alpha1',
    spec: { providerConfigRef: { name: 'dns-default' } },
  });
  expect(record).not.toHaveProperty('metadata.namespace');
  expect(record).not.toHaveProperty('metadata.ownerReferences');
  expect(record).not.toHaveProperty('spec.providerConfigRef.kind');
});

test.each([
  ['the zone itself', 'capp-zone.com', 'gate.example.org'],
  ['the ingress of the site', 'gate.capp-zone.com', 'gate.capp-zone.com'],
  ['the ingress of another site', 'ingress.site-2.capp-zone.com', 'gate.example.org'],
  ['a name to which records may lead', 'gate.example.org', 'site-1.ingress.example.com'],
  ['a name among those', 'site-9.ingress.example.com', 'site-1.ingress.example.com'],
])('no record is made for %s', (_, name, target) => {
  expect(
    renderRecord(named('x'), name, target, { dns: DNS, ingresses: ['ingress.site-2.capp-zone.com'] }),
  ).toMatchObject({ reason: 'RecordImpossible' });
});

test('a Capp whose name is too long for a label gets its record all the same', () => {
  const record = renderRecord(named('shop', 'a'.repeat(100)), 'shop.capp-zone.com', 'gate.example.org', {
    dns: DNS,
    ingresses: [],
  });
  expect(record).not.toHaveProperty(['metadata', 'labels', 'rcs.dana.io/parent-capp']);
});

/** As provider-dns-v2 v1.0.2 wrote it, with BIND 9.18 behind it. */
const SYNCED = JSON.parse(
  readFileSync(new URL('../../fixtures/provider-dns/synced.json', import.meta.url), 'utf8'),
) as CnameRecord;

test('what the real provider adds to a record is left alone, and read as synced with its target alone', () => {
  const dns = { ...DNS, zone: 'apps.example.', ttlSeconds: 5 };
  const target = 'ingress.site-1.example.net';
  const wanted = renderRecord(named('shop'), 'shop.apps.example', target, { dns, ingresses: [] });
  expect('spec' in wanted && containsAll(SYNCED.spec, wanted.spec)).toBe(true);
  expect(isSynced(SYNCED, target)).toBe(true);
  expect(isSynced(SYNCED, 'ingress.site-2.example.net')).toBe(false);
});

test.each(['Synced', 'Ready'])('a record that is not %s is not synced', (type) => {
  const conditions = (SYNCED.status?.conditions ?? []).map((one) =>
    one.type === type ? { ...one, status: 'False' as const } : one,
  );
  expect(
    isSynced({ ...SYNCED, status: { ...SYNCED.status, conditions } }, 'ingress.site-1.example.net'),
  ).toBe(false);
});

test.each([
  ['a time to live above a minute', { ttlSeconds: 61 }],
  ['no allowed target', { allowedTargets: [] }],
  ['an empty zone', { zone: '' }],
])('an RCSConfig with %s is refused', (_, plain) => {
  const spec = { placements: ['all'], dns: { ...DNS, ...plain } };
  expect(RcsConfigSpec.safeParse(spec).success).toBe(false);
});

test('without a time to live a record has a minute', () => {
  const { ttlSeconds: _ttl, ...dns } = DNS;
  expect(RcsConfigSpec.parse({ placements: ['all'], dns }).dns?.ttlSeconds).toBe(60);
});
