// The status of a Capp's hostname. It never blocks a rollout.
import type { Capp } from '../../crds/capp/capp.ts';
import { tlsSecretOf } from '../../crds/capp/tls-secret.ts';
import type { CappStatus } from '../../crds/capp/status.ts';
import type { CertificateObject } from '../../crds/kubernetes/certificate.ts';
import type { DomainMapping, DomainMappingStatus } from '../../crds/kubernetes/knative.ts';
import type { NamedRecord } from '../../crds/dns-record.ts';
import type { ReadyPart } from '../status/ready.ts';
import { isOwn } from '../objects/owned.ts';
import type { CappFault } from '../objects/fault.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import { isPrivate, VISIBILITY } from '../../crds/knative/visibility.ts';
import { routeNameOf } from './name.ts';

export interface SeenRoute {
  readonly mappings: readonly DomainMapping[];
  /** The Capp's own. */
  readonly certificates: readonly CertificateObject[];
  /** That of the site, or null. */
  readonly zone: string | null;
  /** Why it could not be written, or null. */
  readonly fault: CappFault | null;
  readonly certificateFault: CappFault | null;
}

/**
 * What Knative, cert-manager and the DNS provider say of the name; undefined for a Capp that asks for none.
 */
export function routeStatus(
  capp: Capp,
  seen: SeenRoute,
  record: NamedRecord | null,
): CappStatus['routeStatus'] {
  const mapping = mappingOf(capp, seen)?.status;
  const certificate = certificateIn(capp, seen)?.status;
  const named = record?.status;
  if ([mapping, certificate, named].every((status) => status === undefined)) return undefined;
  return {
    ...(mapping === undefined ? {} : { domainMappingObjectStatus: mapping }),
    ...(certificate === undefined ? {} : { certificateObjectStatus: certificate }),
    ...(named === undefined ? {} : { dnsRecordObjectStatus: { cnameRecordObjectStatus: named } }),
  };
}

export const NOT_QUALIFIED =
  'spec.routeSpec.hostname must be fully qualified, such as app.example.com, or a name in the zone of the site (dnsConfig.zone of its CappConfig).';

const PRIVATE = `The Capp is private (${VISIBILITY}), so spec.routeSpec.hostname leads nowhere. Take one of the two out.`;

/** Null for a Capp without a hostname. */
export function routeReady(capp: Capp, seen: SeenRoute): ReadyPart | null {
  const { hostname = '' } = capp.spec.routeSpec ?? {};
  if (hostname === '') return null;
  if (isPrivate(capp)) return route('False', 'Private', PRIVATE);
  const domain = routeNameOf(capp, seen.zone);
  if (domain === null) return route('False', 'NotQualified', NOT_QUALIFIED);
  if (seen.fault !== null) return route('False', seen.fault.reason, seen.fault.message);
  if (capp.spec.state === 'disabled')
    return route('False', 'Disabled', `The Capp is disabled; nothing answers for ${domain}.`);
  const mapping = mappingOf(capp, seen);
  const status = mapping?.status;
  if (status === undefined || status.observedGeneration !== mapping?.metadata.generation) {
    return route('Unknown', 'NotMapped', `Knative has not observed the DomainMapping ${domain} yet.`);
  }
  const own = conditionOf(status.conditions, 'Ready')?.status;
  if (own === 'True')
    return route('True', 'Mapped', `The site answers requests for ${domain}, once DNS points to it.`);
  return notMapped(domain, status, own === 'False' ? 'False' : 'Unknown');
}

/** Knative's own reasons: serving, pkg/apis/serving/v1beta1/domainmapping_lifecycle.go. */
function notMapped(
  domain: string,
  { conditions }: DomainMappingStatus,
  status: 'False' | 'Unknown',
): ReadyPart {
  const bad = ['DomainClaimed', 'ReferenceResolved', 'IngressReady', 'CertificateProvisioned']
    .map((type) => conditionOf(conditions, type))
    .find((condition) => condition !== undefined && condition.status !== 'True');
  switch (bad?.reason) {
    case 'DomainAlreadyClaimed':
      return route(
        status,
        'NameTaken',
        `${domain} belongs to another namespace of this site. Choose another hostname.`,
      );
    case 'DomainClaimFailed':
      return route(
        status,
        'NotMapped',
        `${domain} could not be claimed on this site: create a ClusterDomainClaim, or set autocreate-cluster-domain-claims in config-network.`,
      );
    case 'ResolveFailed':
      return route(status, 'NotMapped', `${domain} waits for the Capp to have an address.`);
    default:
      return route(
        status,
        'NotMapped',
        `Knative has not mapped ${domain} yet (${bad?.reason ?? 'Unknown'}). The DomainMapping of that name on the site has Knative's words.`,
      );
  }
}

function route(status: ReadyPart['status'], reason: ReadyPart['reason'], message: string): ReadyPart {
  return { type: 'RouteReady', status, reason, message };
}

export function mappingOf(capp: Capp, { mappings, zone }: SeenRoute): DomainMapping | undefined {
  const domain = routeNameOf(capp, zone);
  return mappings.find(({ metadata }) => metadata.name === domain && isOwn(metadata, capp));
}

/** Of a Capp for which a certificate is issued. */
export function certificateIn(capp: Capp, { certificates, zone }: SeenRoute): CertificateObject | undefined {
  if (capp.spec.routeSpec?.tlsEnabled !== true || tlsSecretOf(capp.spec) !== null) return undefined;
  const domain = routeNameOf(capp, zone);
  return certificates.find(({ metadata }) => metadata.name === domain && isOwn(metadata, capp));
}
