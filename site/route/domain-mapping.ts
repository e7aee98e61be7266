// The domain under which a Capp answers besides its own, as Knative's DomainMapping.
import type { Capp } from '../../crds/capp/capp.ts';
import { DOMAIN_MAPPING, KNATIVE_SERVICE, type DomainMapping } from '../../crds/kubernetes/knative.ts';
import { ownerOf, ownLabels } from '../objects/owned.ts';

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const QUALIFIED = new RegExp(String.raw`^${LABEL}(?:\.${LABEL})+$`);
/** RFC 1035, without the dot at the end. */
const LONGEST = 253;

/** The domain that a hostname means, as a name in Kubernetes; null if it means none by itself. container-app-operator adds a zone to such. */
export function domainOf(hostname: string): string | null {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name.length <= LONGEST && QUALIFIED.test(name) ? name : null;
}

/** Null for a Capp that asks for no domain, or for none that could be had. A disabled one keeps its own, lest another takes it. */
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
