// Names the resource of a manifest as a site's API knows it: its group and plural. Pure.
import { groupOf } from '../../../../crds/bundle/manifests.ts';
import type { Manifest, ResourceIdentifier } from '../../../../crds/ocm/ocm.ts';

/** Kinds of which the plural does not follow from the name. */
const ODD: ReadonlyMap<string, string> = new Map([['Endpoints', 'endpoints']]);

/** As controller generators form it; `plurals` are the Bundle's own. */
export function pluralOf(kind: string, plurals: Readonly<Record<string, string>> = {}): string {
  const given = (Object.hasOwn(plurals, kind) ? plurals[kind] : undefined) ?? ODD.get(kind);
  if (given !== undefined) return given;
  const lower = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

export function identifierOf(
  { apiVersion, kind, metadata: { name, namespace } }: Manifest,
  plurals?: Readonly<Record<string, string>>,
): ResourceIdentifier {
  return {
    group: groupOf(apiVersion),
    resource: pluralOf(kind, plurals),
    name,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** Deleting one of these deletes what others keep in it, so a Bundle leaves it where it is. */
export function staysAlways({ apiVersion, kind }: Manifest): boolean {
  const group = groupOf(apiVersion);
  return (
    (kind === 'Namespace' && group === '') ||
    (kind === 'CustomResourceDefinition' && group === 'apiextensions.k8s.io')
  );
}
