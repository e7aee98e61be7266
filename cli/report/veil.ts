// What of an object may leave the hub in a report: names, numbers, and what the hub itself says. Every other
// text may be a secret that somebody wrote, so it is left out unless it is listed here. Pure.
import type { KubeObject } from '../../kube/resource.ts';

export const LEFT_OUT = '(left out)';

/** Fields of specs whose texts are names of objects, of sites, or words of a closed list. */
const TOLD: ReadonlySet<string> = new Set(
  `
    apiVersion kind name namespace operator effect type protocol image imagePullPolicy site
    state hostname metric scaleMetric policy strategy failback placement placements
    placementsNamespace pinning clusters clusterSet clusterSets approval maxConcurrent
    onRemoval whenUnselected executor secretName claimName configMap tlsSecret mountPath cpu
    memory storage domain namespaces zone provider reservedDomains prioritizerPolicy
  `
    .trim()
    .split(/\s+/),
);

/** The spec with its shape, its numbers, and the texts that are told. */
export function veiled(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => veiled(one, field));
  if (typeof value === 'string') return TOLD.has(field) ? value : LEFT_OUT;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, veiled(one, name)]));
}

/**
 * Manifests are others' objects: which they are, and nothing of what they hold. Keys of maps may be what
 * people wrote, too, as in `data`.
 */
export function manifestsVeiled(manifests: readonly unknown[]): object[] {
  return manifests.map((manifest) => {
    const { apiVersion, kind, metadata } = (manifest ?? {}) as Partial<KubeObject>;
    return { apiVersion, kind, name: metadata?.name, namespace: metadata?.namespace };
  });
}

/** Annotations of ours say what was asked; of those of others only the names are told. */
const OURS = /(?:^|\.)(?:rcs\.dana\.io|cappstan\.dana\.io|open-cluster-management\.io)\//;

export function metadataOf(object: KubeObject): object {
  const {
    managedFields: _fields,
    annotations = {},
    ...rest
  } = object.metadata as KubeObject['metadata'] & {
    managedFields?: unknown;
  };
  const told = Object.entries(annotations).map(([name, value]) => [name, OURS.test(name) ? value : LEFT_OUT]);
  return { ...rest, annotations: Object.fromEntries(told) };
}

/** What API servers quote of what they refuse: `Invalid value: "…": must be`. */
const QUOTED = /((?:Invalid|Unsupported|Duplicate) value: )(?:"(?:[^"\\]|\\.)*"|[^:]*)/g;

/** A status as it is, but for the values that messages quote. */
export function unquoted(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(QUOTED, `$1${LEFT_OUT}`);
  if (Array.isArray(value)) return value.map(unquoted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unquoted(one)]));
}
