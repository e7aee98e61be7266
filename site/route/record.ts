// The DNS record of a hostname, of Capps that no hub has shipped: those of a hub have theirs there.
import type { Capp } from '../../crds/capp/capp.ts';
import { cnameSpec, LONGEST_TTL_S, RECORDS, type NamedRecord } from '../../crds/dns-record.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import { PARENT_CAPP_NAMESPACE, ROLLOUT } from '../../crds/labels.ts';
import { ingressName } from '../../crds/ocm/cluster-claim.ts';
import type { Kube } from '../../kube/client.ts';
import { keyOf } from '../../kube/resource.ts';
import type { SiteConfig } from '../config/capp-config.ts';
import { BY_CAPP } from '../objects/by-capp.ts';
import { ensureAll } from '../objects/ensure-all.ts';
import { SiteFault } from '../objects/fault.ts';
import { isOwn, ownerOf, ownLabels } from '../objects/owned.ts';
import type { Site } from '../watched.ts';

const RESOURCE = RECORDS.Namespaced;
/** With these alone, the deletion of the object leaves DNS as it is. */
const OBSERVE = ['Observe'] as const;

export function isShipped({ metadata }: Capp): boolean {
  return metadata.annotations?.[ROLLOUT] !== undefined;
}

/** Whether the site makes a record for the Capp: its CappConfig must say all three. `name` is its route name. */
export function asksForRecord(capp: Capp, name: string | null, { dns }: Pick<SiteConfig, 'dns'>): boolean {
  const { zone, cname, provider } = dns;
  return name !== null && zone !== null && cname !== null && provider !== null && !isShipped(capp);
}

/** Throws a SiteFault for a name where DNS allows no CNAME, and for a target that is no domain name. */
export function renderRecord(capp: Capp, name: string, { dns }: Pick<SiteConfig, 'dns'>): NamedRecord {
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
  const { namespace = '' } = capp.metadata;
  return {
    apiVersion: RESOURCE.apiVersion,
    kind: RESOURCE.kind,
    metadata: {
      name,
      namespace,
      labels: { ...ownLabels(capp), [PARENT_CAPP_NAMESPACE]: namespace },
      ownerReferences: [ownerOf(capp)],
    },
    spec: cnameSpec({
      name,
      zone,
      target,
      ttlSeconds: LONGEST_TTL_S,
      provider: dns.provider ?? '',
      kind: 'Namespaced',
    }),
  };
}

/**
 * Makes the record, and removes those that the Capp does not name any more. Of a Capp that a hub has shipped
 * meanwhile it gives the record up, and leaves DNS as it is. A record that container-app-operator keeps for the
 * name stays, and is the only one. Throws as `ensureAll` does. A repeat writes nothing.
 */
export async function claimRecord(
  { kube, watched }: Pick<Site, 'kube' | 'watched'>,
  capp: Capp,
  name: string | null,
  config: Pick<SiteConfig, 'dns'>,
): Promise<void> {
  if (isShipped(capp)) return giveUp(kube, ownRecords({ watched }, capp));
  const isAsked = name !== null && asksForRecord(capp, name, config);
  // A CappConfig that says nothing of records any more takes nobody's name away.
  if (name !== null && !isAsked) return;
  const isNew = isAsked && ownRecords({ watched }, capp).every(({ metadata }) => metadata.name !== name);
  if (isNew) await refuseSecond(kube, name);
  await ensureAll(kube, {
    capp,
    resource: RESOURCE,
    known: watched.records,
    objects: isAsked ? [renderRecord(capp, name, config)] : [],
    absent: `This site does not serve CNAMERecord of ${RESOURCE.apiVersion}, so it makes no DNS record. Install provider-dns-v2 on it, or remove dnsConfig.provider from its CappConfig.`,
  });
}

export function ownRecords({ watched }: Pick<Site, 'watched'>, capp: Capp): readonly NamedRecord[] {
  const { namespace = '', name } = capp.metadata;
  return watched.records.by(BY_CAPP, `${namespace}/${name}`).filter(({ metadata }) => isOwn(metadata, capp));
}

/** Two records of one name overwrite each other, and the deletion of one takes the name away from the other. */
async function refuseSecond(kube: Pick<Kube, 'get'>, name: string): Promise<void> {
  const former = await kube.get(RECORDS.Cluster, { namespace: null, name });
  if (former === null) return;
  throw new SiteFault(
    'NameTaken',
    `The site has a CNAMERecord ${name} of ${RECORDS.Cluster.apiVersion}, which stays as it is. For one by Cappstan, set its managementPolicies to [Observe], and then delete it.`,
  );
}

/** First it only observes, and when the provider has heard that, it goes. */
async function giveUp(kube: Kube, records: readonly NamedRecord[]): Promise<void> {
  for (const record of records) {
    const { uid = '', resourceVersion = '', deletionTimestamp, generation } = record.metadata;
    const policies = record.spec?.managementPolicies ?? [];
    const isObserving = policies.length === 1 && policies[0] === OBSERVE[0];
    const heard = conditionOf(record.status?.conditions, 'Synced')?.observedGeneration;
    if (deletionTimestamp !== undefined) continue;
    if (!isObserving)
      await kube.patch(RESOURCE, keyOf(record), {
        metadata: { uid, resourceVersion },
        spec: { managementPolicies: OBSERVE },
      });
    else if (heard === generation) await kube.remove(RESOURCE, keyOf(record), { uid, resourceVersion });
  }
}
