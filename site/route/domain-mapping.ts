// The domain under which a Capp answers besides its own, as Knative's DomainMapping.
import type { Capp } from '../../crds/capp/capp.ts';
import { canonicalHostname } from '../../crds/capp/hostname.ts';
import { tlsSecretOf } from '../../crds/capp/tls-secret.ts';
import { HTTP_PROTOCOLS, httpProtocolOf } from '../../crds/knative/capp-annotations.ts';
import { DOMAIN_MAPPING, KNATIVE_SERVICE, type DomainMapping } from '../../crds/kubernetes/knative.ts';
import type { SiteConfig } from '../config/capp-config.ts';
import { ensureAll } from '../objects/ensure-all.ts';
import type { SiteFault } from '../objects/fault.ts';
import { isOwn, ownerOf, ownLabels } from '../objects/owned.ts';
import type { OperatedSite } from '../watched.ts';
import { hostnameFault } from './allowed.ts';
import { certificateOf, isIssued, secretNameOf } from './certificate.ts';
import { routeNameOf } from './name.ts';
import { rememberedZone, zoneOf } from './zone.ts';

/**
 * The mapping of this name, with the certificate in this Secret if there is one. A disabled Capp keeps its
 * own, so that no other can take the name. Where the Capp leads plain HTTP to HTTPS, this name does, too, as
 * soon as it has its certificate (decision 128).
 */
export function domainMapping(capp: Capp, domain: string, secretName: string | null): DomainMapping {
  const { name, namespace } = capp.metadata;
  const place = namespace === undefined ? {} : { namespace };
  const annotations = { ...protocol(capp, secretName), ...rememberedZone(capp, domain) };
  return {
    apiVersion: DOMAIN_MAPPING.apiVersion,
    kind: DOMAIN_MAPPING.kind,
    metadata: {
      name: domain,
      ...place,
      labels: ownLabels(capp),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ownerReferences: [ownerOf(capp)],
    },
    spec: {
      ref: { apiVersion: KNATIVE_SERVICE.apiVersion, kind: KNATIVE_SERVICE.kind, name, ...place },
      ...(secretName === null ? {} : { tls: { secretName } }),
    },
  };
}

/** A hostname that led to HTTPS which nobody serves would be off the net. */
function protocol({ metadata }: Capp, secretName: string | null): Readonly<Record<string, string>> {
  const [first = ''] = HTTP_PROTOCOLS;
  const asked = httpProtocolOf(metadata.annotations);
  return asked === null || secretName === null ? {} : { [first]: asked };
}

/** Takes what `allowedName` gives. Throws as `ensureAll` does. A repeat writes nothing. */
export async function claimDomain(
  { kube, watched }: Pick<OperatedSite, 'kube' | 'watched'>,
  capp: Capp,
  name: string | null,
): Promise<void> {
  const absent =
    'This site does not serve DomainMapping, so nothing answers for the hostname. Install Knative Serving on it.';
  await ensureAll(kube, {
    capp,
    resource: DOMAIN_MAPPING,
    known: watched.domainMappings,
    objects: name === null ? [] : [domainMapping(capp, name, secretOf({ watched }, capp, name))],
    absent,
  });
}

/**
 * The Capp's own Secret, or else that of its Certificate. Only of a certificate that has been issued: a
 * mapping with a Secret that does not exist answers nobody. One that had its Secret keeps it while the
 * certificate is renewed.
 */
function secretOf(site: Pick<OperatedSite, 'watched'>, capp: Capp, name: string): string | null {
  if (capp.spec.routeSpec?.tlsEnabled !== true) return null;
  const own = tlsSecretOf(capp.spec);
  if (own !== null) return own;
  const secretName = secretNameOf(name);
  const found = certificateOf(site, capp, name);
  if (found !== null && isIssued(found)) return secretName;
  const tls: unknown = mappingOf(site, capp, name)?.spec?.['tls'];
  const isUsed =
    typeof tls === 'object' && tls !== null && 'secretName' in tls && tls.secretName === secretName;
  return isUsed ? secretName : null;
}

function mappingOf(
  { watched }: Pick<OperatedSite, 'watched'>,
  capp: Capp,
  name: string,
): DomainMapping | null {
  const { namespace = '' } = capp.metadata;
  const found = watched.domainMappings.served() ? watched.domainMappings.get({ namespace, name }) : undefined;
  return found !== undefined && isOwn(found.metadata, capp) ? found : null;
}

/** Rules are for new hostnames: a stricter rule takes no name away from a Capp that answers for it. */
export function allowedName(
  site: Pick<OperatedSite, 'watched'>,
  capp: Capp,
  config: SiteConfig,
): { readonly name: string | null; readonly fault: SiteFault | null } {
  const name = routeNameOf(capp, zoneOf(site, capp, config.dns));
  if (name === null || mappingOf(site, capp, name) !== null) return { name, fault: null };
  const hostname = canonicalHostname(capp.spec.routeSpec?.hostname ?? '');
  const fault = hostnameFault([name, hostname], config);
  return { name: fault === null ? name : null, fault };
}
