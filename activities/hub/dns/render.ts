// The DNS record of a Capp's hostname, from what the RCSConfig says and the serving site claims. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Reason } from '../../../crds/capp/conditions.ts';
import { cnameSpec, RECORDS, type CnameRecord } from '../../../crds/dns-record.ts';
import {
  CAPP_UID,
  MANAGED_BY,
  MANAGED_BY_HUB,
  PARENT_CAPP,
  PARENT_CAPP_NAMESPACE,
  SHARED_HOSTNAME,
} from '../../../crds/labels.ts';
import { ingressNameOf } from '../../../crds/ocm/cluster-claim.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { isPrivate } from '../../../crds/knative/visibility.ts';
import { routeName } from '../../../crds/capp/route-name.ts';
import { isAllowedTarget, targetOver } from '../../../crds/hub/dns-targets.ts';
import type { DnsConfig } from '../../../crds/hub/rcs-config.ts';

/** Why there can be no record, or none that leads to the site. */
export interface RecordFault {
  readonly reason: Reason;
  readonly message: string;
}

/**
 * Null for a private Capp, for one that asks for no hostname, for one that is no full domain name in the
 * zone, and for a Capp of a set whose Capps all have the same: one record leads to one site.
 */
export function recordName(capp: Capp, { zone }: DnsConfig): string | null {
  if (capp.metadata.annotations?.[SHARED_HOSTNAME] === 'true' || isPrivate(capp)) return null;
  const hostname = capp.spec.routeSpec?.hostname ?? '';
  return hostname === '' ? null : routeName(hostname, zone.toLowerCase());
}

/** Whether the hub keeps a record for the Capp. */
export function asksForRecord(capp: Capp, dns: DnsConfig | undefined): boolean {
  return dns !== undefined && recordName(capp, dns) !== null;
}

/** What the record is to lead to. What a site claims is used only if the RCSConfig allows it. */
export function targetOn(
  cluster: string,
  claims: ManagedCluster | undefined,
  dns: DnsConfig,
): string | RecordFault {
  const target = claims === undefined ? null : ingressNameOf(claims);
  if (target === null)
    return {
      reason: 'NoIngressName',
      message: `${cluster} does not say to which name DNS records lead. Set dnsConfig.cname in its CappConfig.`,
    };
  if (!isAllowedTarget(target, dns))
    return {
      reason: 'TargetRefused',
      message: `${cluster} says that DNS records lead to ${target}, which dns.allowedTargets of the RCSConfig does not allow.`,
    };
  return target;
}

/**
 * A fault if DNS or the record itself forbids a CNAME there. `ingresses` are the names by which sites say
 * that they answer.
 */
export function renderRecord(
  capp: Capp,
  name: string,
  target: string,
  { dns, ingresses }: { readonly dns: DnsConfig; readonly ingresses: readonly string[] },
): CnameRecord | RecordFault {
  const zone = dns.zone.toLowerCase().replace(/\.$/, '');
  if (name === zone)
    return {
      reason: 'RecordImpossible',
      message: `${name} is the zone itself, where DNS allows no CNAME. Choose a hostname within it, or make its address records yourself.`,
    };
  if (name === target || targetOver(name, dns) !== undefined || ingresses.includes(name))
    return {
      reason: 'RecordImpossible',
      message: `${name} is the ingress of a site. Choose another hostname.`,
    };
  const scope = dns.kind ?? 'Namespaced';
  const { apiVersion, kind } = RECORDS[scope];
  const { namespace = '', name: owned, uid = '' } = capp.metadata;
  const owner = { apiVersion: CAPP.apiVersion, kind: CAPP.kind, name: owned, uid };
  const own = scope === 'Namespaced' ? { namespace, ownerReferences: [owner] } : {};
  return {
    apiVersion,
    kind,
    metadata: { name, ...own, labels: labelsOf(capp) },
    spec: cnameSpec({ name, zone, target, ttlSeconds: dns.ttlSeconds, provider: dns.provider, kind: scope }),
  };
}

function labelsOf({ metadata: { namespace = '', name, uid = '' } }: Capp): Record<string, string> {
  const named = name.length <= LONGEST_LABEL ? { [PARENT_CAPP]: name } : {};
  return { ...named, [PARENT_CAPP_NAMESPACE]: namespace, [MANAGED_BY]: MANAGED_BY_HUB, [CAPP_UID]: uid };
}

/** Characters that Kubernetes allows the value of a label. */
const LONGEST_LABEL = 63;
