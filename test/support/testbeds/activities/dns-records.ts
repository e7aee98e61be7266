// A hub that keeps DNS records; the test plays their provider, as provider-dns-v2 v1.0.2 says it.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { RECORDS, type CnameRecord, type RecordKind } from '../../../../crds/dns-record.ts';
import { RCS_CONFIG_KEY, type RcsConfig } from '../../../../crds/hub/rcs-config.ts';
import { INGRESS_CLAIM } from '../../../../crds/ocm/cluster-claim.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { fakeCache } from '../../builders/process/fake-cache.ts';
import { startHub, type HubForTests } from '../hub/hub.ts';

type Live = CnameRecord & { metadata: { name: string } };

export type DnsRecords = Awaited<ReturnType<typeof startDnsRecords>>;

export async function startDnsRecords() {
  const testbed = await startHub();
  const { kube } = testbed;
  /** The key of a record of that kind. */
  const keyOf = (name: string, kind: RecordKind) => ({
    namespace: kind === 'Cluster' ? null : 'apps',
    name,
  });
  const live = (name: string, kind: RecordKind = 'Namespaced') =>
    kube.get<Live>(RECORDS[kind], keyOf(name, kind));
  /** Capps that ask for the hostname, as the cache shows them. */
  const others: Capp[] = [];
  return {
    testbed,
    others,
    keyOf,
    live,
    /** What the activity stands on; `kind` null: the RCSConfig says nothing of DNS. */
    options: (kind: RecordKind | null = 'Namespaced', allowed = '*.ingress.example.com') =>
      standingOn(kube, () => others, kind, allowed),
    servesOn: (ref: CappRef, serving: string) => servesOn(kube, ref, serving),
    make: async (name: string, hostname = `${name}.capp-zone.com`): Promise<CappRef> => {
      const ref = await testbed.make({ name, spec: { routeSpec: { hostname } } });
      await servesOn(kube, ref, 'site-1');
      return ref;
    },
    /** As somebody else makes one. */
    createRecord: (name: string, kind: RecordKind, spec: object) => {
      const { apiVersion, kind: named } = RECORDS[kind];
      const metadata = { name, ...(kind === 'Cluster' ? {} : { namespace: 'apps' }) };
      return kube.create(RECORDS[kind], { apiVersion, kind: named, metadata, spec });
    },
    /** Plays the provider: DNS has what the record says. */
    brought: async (name: string, kind: RecordKind = 'Namespaced'): Promise<void> => {
      const record = await live(name, kind);
      const conditions = ['Synced', 'Ready'].map((type) => ({ type, status: 'True', reason: 'Available' }));
      const status = { atProvider: record?.spec?.forProvider, conditions };
      await kube.patch(RECORDS[kind], keyOf(name, kind), { status }, { subresource: 'status' });
    },
  };
}

function standingOn(
  kube: HubForTests['kube'],
  others: () => Capp[],
  kind: RecordKind | null,
  allowed: string,
) {
  const dns = {
    zone: 'capp-zone.com.',
    provider: 'dns-default',
    ttlSeconds: 60,
    allowedTargets: [allowed],
    ...(kind === null ? {} : { kind }),
  };
  const spec = { placements: ['all'], placementsNamespace: 'placements', invalidHostnamePatterns: [] };
  const config = { metadata: RCS_CONFIG_KEY, spec: { ...spec, ...(kind === null ? {} : { dns }) } };
  const caughtUpWith = (version: string): boolean => version !== 'ahead';
  const known = fakeCache(config as unknown as RcsConfig & { metadata: { name: string } }).cache;
  const configs = { ...known, caughtUpWith };
  const clusters = { ...fakeCache(cluster('site-1'), cluster('site-2')).cache, caughtUpWith };
  return { kube, caches: { configs, capps: { by: others }, clusters }, config: RCS_CONFIG_KEY };
}

function cluster(name: string): ManagedCluster & { metadata: { name: string } } {
  const clusterClaims = [{ name: INGRESS_CLAIM, value: `${name}.ingress.example.com` }];
  return { metadata: { name }, status: { clusterClaims } };
}

/** The status says that the Capp serves there. */
async function servesOn(kube: HubForTests['kube'], ref: CappRef, serving: string): Promise<void> {
  await kube.patch(CAPP, ref, { status: { migration: { serving } } }, { subresource: 'status' });
}
