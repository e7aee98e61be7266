// Which of a Capp's labels and annotations are shipped to a site.
import { HAS_PLACEMENT, LAST_UPDATED_BY, PRIORITY, REQUESTS, requestedBy, ROLLOUT } from '../labels.ts';

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

/** A label or annotation by which a tool remembers what it did. */
export function isOfTool(name: string): boolean {
  return OF_TOOLS.some((prefix) => name.startsWith(prefix));
}
