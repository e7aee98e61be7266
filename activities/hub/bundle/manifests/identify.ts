// Names the resource of a manifest as a site's API knows it: its group and plural. Pure.
import { groupOf } from '../../../../crds/bundle/manifests.ts';
import type { Manifest, ResourceIdentifier } from '../../../../crds/ocm/ocm.ts';

/** Kinds of which the plural does not follow from the name. */
const ODD: ReadonlyMap<string, string> = new Map([['Endpoints', 'endpoints']]);

/** Groups that Kubernetes itself serves. Their plurals are known, whatever a Bundle says. */
const BUILT_IN: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/** Whether Kubernetes itself serves a group. */
export function isBuiltIn(group: string): boolean {
  return BUILT_IN.has(group);
}

/**
 * As controller generators form it; `plurals` are the Bundle's own, and say nothing of what Kubernetes itself
 * serves.
 */
export function pluralOf(
  group: string,
  kind: string,
  plurals: Readonly<Record<string, string>> = {},
): string {
  const isTheirs = !isBuiltIn(group) && Object.hasOwn(plurals, kind);
  const given = (isTheirs ? plurals[kind] : undefined) ?? ODD.get(kind);
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
    resource: pluralOf(groupOf(apiVersion), kind, plurals),
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
