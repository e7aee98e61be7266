// The domain under which a Capp answers besides its own, as Knative's DomainMapping.
import type { Capp } from '../../crds/capp/capp.ts';
import { domainOf } from '../../crds/capp/hostname.ts';
import { DOMAIN_MAPPING, KNATIVE_SERVICE, type DomainMapping } from '../../crds/kubernetes/knative.ts';
import { ensureAll } from '../objects/ensure-all.ts';
import { ownerOf, ownLabels } from '../objects/owned.ts';
import type { Site } from '../watched.ts';

/**
 * Null for a Capp that asks for no domain, or for none that could be had. A disabled Capp keeps its domain,
 * so that no other can take it.
 */
export function domainMapping(capp: Capp): DomainMapping | null {
  const domain = domainOf(capp.spec.routeSpec?.hostname ?? '');
  if (domain === null) return null;
  const { name, namespace } = capp.metadata;
  const place = namespace === undefined ? {} : { namespace };
  return {
    apiVersion: DOMAIN_MAPPING.apiVersion,
    kind: DOMAIN_MAPPING.kind,
    metadata: { name: domain, ...place, labels: ownLabels(capp), ownerReferences: [ownerOf(capp)] },
    spec: { ref: { apiVersion: KNATIVE_SERVICE.apiVersion, kind: KNATIVE_SERVICE.kind, name, ...place } },
  };
}

/** Throws as `ensureAll` does. A repeat writes nothing. */
export async function claimDomain(
  { kube, watched }: Pick<Site, 'kube' | 'watched'>,
  capp: Capp,
): Promise<void> {
  const absent =
    'This site does not serve DomainMapping, so nothing answers for the hostname. Install Knative Serving on it.';
  const object = domainMapping(capp);
  await ensureAll(kube, {
    capp,
    resource: DOMAIN_MAPPING,
    known: watched.domainMappings,
    objects: object === null ? [] : [object],
    absent,
  });
}
