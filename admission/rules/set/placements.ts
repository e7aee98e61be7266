// Which sites and which Placement a CappSet or a Bundle names.
import { listAt } from '../../fields.ts';
import type { HubKnowledge } from '../../known.ts';
import type { AdmissionRequest } from '../../request.ts';

/** What the RCSConfig lists goes before what the namespace has. */
function placementKey(
  name: string,
  namespace: string,
  { config }: Pick<HubKnowledge, 'config'>,
): { readonly namespace: string; readonly name: string } {
  const isListed = config?.placements.includes(name) === true;
  return { namespace: isListed ? config.placementsNamespace : namespace, name };
}

/** For what waits until its Placement exists; `placement` is empty for named sites. */
export function placementWarnings(
  placement: string,
  { namespace }: Pick<AdmissionRequest, 'namespace'>,
  known: HubKnowledge,
): string[] {
  if (placement === '') return [];
  const key = placementKey(placement, namespace, known);
  if (known.hasPlacement(key.namespace, key.name)) return [];
  return [
    `There is no Placement ${key.namespace}/${key.name} yet: nothing is sent to any site until it exists.`,
  ];
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
