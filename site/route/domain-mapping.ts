// The domain under which a Capp answers besides its own, as Knative's DomainMapping.
import type { Capp } from '../../crds/capp/capp.ts';
import { canonicalHostname } from '../../crds/capp/hostname.ts';
import { DOMAIN_MAPPING, KNATIVE_SERVICE, type DomainMapping } from '../../crds/kubernetes/knative.ts';
import type { SiteConfig } from '../config/capp-config.ts';
import { ensureAll } from '../objects/ensure-all.ts';
import type { SiteFault } from '../objects/fault.ts';
import { isOwn, ownerOf, ownLabels } from '../objects/owned.ts';
import type { Site } from '../watched.ts';
import { hostnameFault } from './allowed.ts';
import { routeNameOf } from './name.ts';

/** The mapping of this name. A disabled Capp keeps its own, so that no other can take the name. */
export function domainMapping(capp: Capp, domain: string): DomainMapping {
  const { name, namespace } = capp.metadata;
  const place = namespace === undefined ? {} : { namespace };
  return {
    apiVersion: DOMAIN_MAPPING.apiVersion,
    kind: DOMAIN_MAPPING.kind,
    metadata: { name: domain, ...place, labels: ownLabels(capp), ownerReferences: [ownerOf(capp)] },
    spec: { ref: { apiVersion: KNATIVE_SERVICE.apiVersion, kind: KNATIVE_SERVICE.kind, name, ...place } },
  };
}

/**
 * Throws as `ensureAll` does, and a SiteFault for a hostname that the CappConfig does not allow. A repeat
 * writes nothing.
 */
export async function claimDomain(
  { kube, watched }: Pick<Site, 'kube' | 'watched'>,
  capp: Capp,
  config: SiteConfig,
): Promise<void> {
  const absent =
    'This site does not serve DomainMapping, so nothing answers for the hostname. Install Knative Serving on it.';
  const name = routeNameOf(capp, config.dns.zone);
  const fault = name === null ? null : notAllowed(watched, capp, name, config);
  await ensureAll(kube, {
    capp,
    resource: DOMAIN_MAPPING,
    known: watched.domainMappings,
    objects: name === null || fault !== null ? [] : [domainMapping(capp, name)],
    absent,
  });
  if (fault !== null) throw fault;
}

/** Rules are for new hostnames: a stricter rule takes no name away from a Capp that answers for it. */
function notAllowed(
  { domainMappings }: Pick<Site['watched'], 'domainMappings'>,
  capp: Capp,
  name: string,
  config: SiteConfig,
): SiteFault | null {
  const { namespace = '' } = capp.metadata;
  const live = domainMappings.served() ? domainMappings.get({ namespace, name }) : undefined;
  if (live !== undefined && isOwn(live.metadata, capp)) return null;
  return hostnameFault([name, canonicalHostname(capp.spec.routeSpec?.hostname ?? '')], config);
}
