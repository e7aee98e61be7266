// What of a Capp is shipped to a site: which labels and annotations, and which fields of its spec.
import type { CappSpec } from './capp.ts';
import {
  HAS_PLACEMENT,
  LAST_UPDATED_BY,
  PRIORITY,
  REQUESTS,
  requestedBy,
  ROLLOUT,
  SEALED,
  SET,
  SET_REVISION,
  SET_UID,
  SHARED_HOSTNAME,
  TAKEN_UP,
  VERIFY,
} from '../labels.ts';

/**
 * What asks something of the hub, or tells of it. A site that stamps `last-updated-by` itself would change it
 * back each time.
 */
const OF_THE_HUB: ReadonlySet<string> = new Set([
  ...REQUESTS,
  ...REQUESTS.map(requestedBy),
  PRIORITY,
  ROLLOUT,
  HAS_PLACEMENT,
  LAST_UPDATED_BY,
  SET,
  SET_UID,
  SET_REVISION,
  SHARED_HOSTNAME,
  SEALED,
  TAKEN_UP,
  VERIFY,
]);

/**
 * By which tools know what they have applied: one that works on a site too would take the copy for its own,
 * and prune it.
 */
const OF_TOOLS = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'applyset.kubernetes.io/',
  'argocd.argoproj.io/',
  'kustomize.toolkit.fluxcd.io/',
  'helm.toolkit.fluxcd.io/',
  'meta.helm.sh/',
  'config.k8s.io/',
  'kapp.k14s.io/',
  'objectset.rio.cattle.io/',
];

export function travelling(marks: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(marks).filter(([name]) => !OF_THE_HUB.has(name) && !isOfTool(name)),
  );
}

/** Without what only the hub needs, and sites of the Go operator do not know. */
export function travellingSpec({
  migration: _migration,
  requires: _requires,
  ...spec
}: CappSpec): Omit<CappSpec, 'migration' | 'requires'> {
  return spec;
}

/** A label or annotation by which a tool remembers what it did. */
export function isOfTool(name: string): boolean {
  return OF_TOOLS.some((prefix) => name.startsWith(prefix));
}
