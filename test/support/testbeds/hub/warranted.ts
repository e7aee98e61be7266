// For activity tests that are about something else than where a Capp may be: the hub's real caches, with a
// stand-in for what an administrator would have set up. A Placement has decided for site-1, site-2 and
// site-3.
import type { HubCaches } from '../../../../activities/hub/caches.ts';
import type { RcsConfig } from '../../../../crds/hub/rcs-config.ts';
import {
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type PlacementDecision,
} from '../../../../crds/ocm/placements.ts';
import type { Kube } from '../../../../kube/client.ts';

const SITES = ['site-1', 'site-2', 'site-3'];
const KEY = { namespace: 'rcs-deployer-system', name: 'stand-in' };
const CONFIG = {
  metadata: KEY,
  spec: { placements: ['stand-in'], placementsNamespace: 'placements', pinning: 'Any' },
} as unknown as RcsConfig;
const DECISION: PlacementDecision = {
  metadata: {
    namespace: 'placements',
    name: 'stand-in-1',
    labels: { [PLACEMENT_LABEL]: 'stand-in' },
  },
  status: { decisions: SITES.map((clusterName) => ({ clusterName, reason: '' })) },
};

/** Writes the decision, which `hubApply` reads live before a Capp comes to a site. */
export async function writeDecision(kube: Kube): Promise<void> {
  const { metadata, status } = DECISION;
  const { apiVersion, kind } = PLACEMENT_DECISION;
  await kube.create(PLACEMENT_DECISION, { apiVersion, kind, metadata } as never);
  const { namespace = '', name } = metadata;
  await kube.patch(PLACEMENT_DECISION, { namespace, name }, { status }, { subresource: 'status' });
}

/** What `hubApply` and `hubPublish` need to let a Capp be on any of these sites. */
export function warranted(caches: HubCaches) {
  const { configs, clusters, decisions } = caches;
  const known: HubCaches = {
    ...caches,
    configs: { ...configs, get: (key) => (key.name === KEY.name ? CONFIG : configs.get(key)) },
    clusters: {
      ...clusters,
      get: (key) =>
        clusters.get(key) ?? (SITES.includes(key.name) ? { metadata: { name: key.name } } : undefined),
    },
    decisions: {
      ...decisions,
      by: (index, value) => (value === 'placements/stand-in' ? [DECISION] : decisions.by(index, value)),
    },
  };
  return { caches: known, hubUid: 'hub-uid', config: KEY };
}
