// Which sites and which Placement a CappSet or a Bundle names.
import { listAt } from '../../fields.ts';
import type { HubKnowledge } from '../../known.ts';
import type { AdmissionRequest } from '../../request.ts';

/** What the RCSConfig lists goes before what the namespace has. */
function placementNames(
  name: string,
  namespace: string,
  { config }: Pick<HubKnowledge, 'config'>,
): { namespace: string; name: string }[] {
  const isListed = config?.placements.includes(name) === true;
  return [{ namespace: isListed ? config.placementsNamespace : namespace, name }];
}

/** For what waits until its Placement exists; `placement` is empty for named sites. */
export function placementWarnings(
  placement: string,
  { namespace }: Pick<AdmissionRequest, 'namespace'>,
  known: HubKnowledge,
): string[] {
  if (placement === '') return [];
  const names = placementNames(placement, namespace, known);
  if (names.some((one) => known.hasPlacement(one.namespace, one.name))) return [];
  const where = names.map((one) => `${one.namespace}/${one.name}`).join(' or ');
  return [`There is no Placement ${where} yet: nothing is sent to any site until it exists.`];
}

/** Named, and not named before the change: what names a site that is gone since can be edited. */
export function addedSites({ object, oldObject }: Pick<AdmissionRequest, 'object' | 'oldObject'>): {
  readonly name: unknown;
  readonly field: string;
}[] {
  const before = new Set(listAt(oldObject, 'spec', 'sites', 'clusters'));
  return listAt(object, 'spec', 'sites', 'clusters')
    .map((name, index) => ({ name, field: `spec.sites.clusters[${index}]` }))
    .filter(({ name }) => !before.has(name));
}
