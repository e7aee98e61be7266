// What the chart is told for a hub of its own: pure.
import { SIGNED_DAYS } from '../local/kubernetes/controller-manager.ts';
import type { HubConfig } from './config/config.ts';

/** Where its ClusterJoins are. */
const JOINS_NAMESPACE = 'cappstan-joins';

/** Those in which the chart makes roles, and which it does not make itself. */
export function namespacesOf({ provisionNamespaces }: HubConfig): readonly string[] {
  return [JOINS_NAMESPACE, ...provisionNamespaces];
}

export function chartValues(config: HubConfig): Record<string, string> {
  return {
    ...imageValues(config),
    'addon.install': 'true',
    'placement.create': 'true',
    'joins.byToken': 'true',
    'joins.certificateDays': String(SIGNED_DAYS),
    'joins.namespaces[0]': JOINS_NAMESPACE,
    ...metalValues(config),
    'notifications.install': String(config.notifications),
    'addon.sealing.install': String(config.sealing),
  };
}

/** Metal³ itself is installed by whoever has hosts. */
function metalValues({ provisionNamespaces, provisionClusterSets }: HubConfig): Record<string, string> {
  if (provisionNamespaces.length === 0) return {};
  const lists = { provisionNamespaces, provisionClusterSets };
  const named = Object.entries(lists).flatMap(([list, names]) =>
    names.map((name, index) => [`metal.${list}[${index}]`, name]),
  );
  return { 'metal.hosts': 'true', ...Object.fromEntries(named) };
}

function imageValues({ image }: HubConfig): Record<string, string> {
  const parts = Object.entries(image ?? {}).filter(([, value]) => value !== '');
  return Object.fromEntries(parts.map(([part, value]) => [`image.${part}`, value]));
}
