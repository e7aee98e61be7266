// The DNS record of a hostname, of Capps that no hub has shipped: those of a hub have theirs there.
import type { Capp } from '../../crds/capp/capp.ts';
import {
  cnameSpec,
  LONGEST_TTL_S,
  RECORDS,
  type NamedRecord,
  type RecordKind,
} from '../../crds/dns-record.ts';
import { CAPP_UID, PARENT_CAPP_NAMESPACE } from '../../crds/labels.ts';
import { ingressName } from '../../crds/ocm/cluster-claim.ts';
import type { SiteConfig } from '../config/capp-config.ts';
import { BY_CAPP } from '../objects/by-capp.ts';
import { ensureAll } from '../objects/ensure-all.ts';
import { SiteFault } from '../objects/fault.ts';
import { isOwn, ownerOf, ownLabels } from '../objects/owned.ts';
import type { OperatedSite } from '../watched.ts';
import { claimInCluster, clusterRecordsOf, letGo, removeOthers } from './cluster-record.ts';
import { releaseFormer } from './former-record.ts';
import { giveUp, isShipped } from './give-up.ts';

/** The provider's default, so that a record which only observes leads again. */
const ALL_POLICIES = ['*'];

/**
 * Whether the site makes a record for the Capp: its CappConfig must say all three. `name` is its route name.
 */
export function asksForRecord(capp: Capp, name: string | null, config: Pick<SiteConfig, 'dns'>): boolean {
  return name !== null && isConfigured(config) && !isShipped(capp);
}

function isConfigured({ dns: { zone, cname, provider } }: Pick<SiteConfig, 'dns'>): boolean {
  return zone !== null && cname !== null && provider !== null;
}

/** Throws a SiteFault for a name where DNS allows no CNAME, and for a target that is no domain name. */
export function renderRecord(
  capp: Capp,
  name: string,
  { dns }: Pick<SiteConfig, 'dns'>,
  kind: RecordKind,
): NamedRecord {
  const zone = (dns.zone ?? '').replace(/\.$/, '');
  const target = ingressName(dns.cname ?? '');
  if (target === null)
    throw new SiteFault(
      'RecordImpossible',
      "dnsConfig.cname of the site's CappConfig is no full domain name, so there is no DNS record. Correct it.",
    );
  if (name === zone || name === target)
    throw new SiteFault(
      'RecordImpossible',
      `DNS allows no record that leads ${name} to ${target}. Choose another hostname.`,
    );
  const { namespace = '', uid = '' } = capp.metadata;
  const labels = { ...ownLabels(capp), [PARENT_CAPP_NAMESPACE]: namespace };
  const owned = { name, namespace, labels, ownerReferences: [ownerOf(capp)] };
  return {
    apiVersion: RECORDS[kind].apiVersion,
    kind: RECORDS[kind].kind,
    metadata: kind === 'Namespaced' ? owned : { name, labels: { ...labels, [CAPP_UID]: uid } },
    spec: {
      ...cnameSpec({ name, zone, target, ttlSeconds: LONGEST_TTL_S, provider: dns.provider ?? '', kind }),
      managementPolicies: ALL_POLICIES,
    },
  };
}

/**
 * Makes the record, namespaced where that kind is served, and removes those that the Capp does not name any
 * more. Of a Capp that a hub has shipped meanwhile it gives the records up, and leaves DNS as it is. A
 * cluster-scoped record of the Capp gives way to the namespaced one; one of somebody else stays, and is the
 * only one. Throws as `ensureAll` does. A repeat writes nothing.
 */
export async function claimRecord(
  site: Pick<OperatedSite, 'kube' | 'watched'>,
  capp: Capp,
  name: string | null,
  config: Pick<SiteConfig, 'dns'>,
): Promise<void> {
  const { kube, watched } = site;
  if (isShipped(capp)) {
    await giveUp(kube, RECORDS.Namespaced, ownRecords(site, capp));
    await giveUp(kube, RECORDS.Cluster, clusterRecordsOf(site, capp));
    return letGo(kube, capp);
  }
  const { hostname = '' } = capp.spec.routeSpec ?? {};
  // A CappConfig that says nothing of records any more, or is gone, takes nobody's name away.
  if (hostname !== '' && !isConfigured(config)) return;
  const kind = isInCluster(site) ? 'Cluster' : 'Namespaced';
  const record = name === null ? null : renderRecord(capp, name, config, kind);
  if (kind === 'Cluster') return claimInCluster(site, capp, record);
  if (name !== null && watched.records.served()) await clearName(site, capp, name);
  await ensureAll(kube, {
    capp,
    resource: RECORDS.Namespaced,
    known: watched.records,
    objects: record === null ? [] : [record],
    absent: `This site does not serve CNAMERecord of ${RECORDS.Namespaced.apiVersion}, so it makes no DNS record. Install provider-dns-v2 on it, or remove dnsConfig.provider from its CappConfig.`,
  });
  await removeOthers(site, capp, null);
}

/** Where no namespaced kind is served, but the one that container-app-operator v0.3.6 uses. */
function isInCluster({ watched }: Pick<OperatedSite, 'watched'>): boolean {
  return !watched.records.served() && watched.clusterRecords.served();
}

/**
 * Two records of one name overwrite each other, and the deletion of one takes the name away from the other.
 */
async function clearName(
  site: Pick<OperatedSite, 'kube' | 'watched'>,
  capp: Capp,
  name: string,
): Promise<void> {
  const isNew = ownRecords(site, capp).every(({ metadata }) => metadata.name !== name);
  const former = clusterRecordsOf(site, capp).some(({ metadata }) => metadata.name === name);
  if (isNew || former) await releaseFormer(site.kube, capp, name);
}

/** Namespaced ones. */
export function ownRecords({ watched }: Pick<OperatedSite, 'watched'>, capp: Capp): readonly NamedRecord[] {
  const { namespace = '', name } = capp.metadata;
  return watched.records.by(BY_CAPP, `${namespace}/${name}`).filter(({ metadata }) => isOwn(metadata, capp));
}

/** The one of that name, of the kind that the site makes. */
export function recordOf(
  site: Pick<OperatedSite, 'watched'>,
  capp: Capp,
  name: string | null,
): NamedRecord | null {
  const records = isInCluster(site) ? clusterRecordsOf(site, capp) : ownRecords(site, capp);
  return records.find(({ metadata }) => metadata.name === name) ?? null;
}
