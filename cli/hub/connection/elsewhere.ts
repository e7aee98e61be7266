// Whether the cluster that a person has chosen is a hub at all: a wrong context is the usual reason for
// finding nothing.
import { CAPP } from '../../../crds/capp/capp.ts';
import { APPLIED_MANIFEST_WORK, MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { serves } from '../../../kube/discovery.ts';
import type { Resource } from '../../../kube/resource.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from './hub.ts';
import { notServed } from './sentences.ts';

/**
 * The sentence for a cluster that is no hub; null for a hub, and where that is not known. Asks only which
 * kinds there are, which everybody may read who may log in.
 */
export async function elsewhere(hub: ConnectedHub): Promise<CommandFailure | null> {
  const has = (kind: Resource): Promise<boolean> => serves(hub.kube, kind).catch(() => true);
  if (!(await has(CAPP))) return notServed(hub);
  if (await has(MANAGED_CLUSTER)) return null;
  return (await isSite(hub)) ? onSite(hub, 'sites have no ManagedClusters') : withoutOcm(hub);
}

/**
 * OCM's work agent brings this kind to every site. A hub that is its own site serves ManagedClusters, too.
 */
export async function isSite({ kube }: Pick<ConnectedHub, 'kube'>): Promise<boolean> {
  const [agent, hub] = await Promise.all([
    serves(kube, APPLIED_MANIFEST_WORK),
    serves(kube, MANAGED_CLUSTER),
  ]);
  return agent && !hub;
}

export function onSite(
  { server, context }: Pick<ConnectedHub, 'server' | 'context'>,
  how: string,
): CommandFailure {
  return new CommandFailure(
    'notFound',
    `The cluster at ${server} (context ${context}) is a site: ${how}. Choose the hub with --context.`,
  );
}

function withoutOcm({ server, context }: ConnectedHub): CommandFailure {
  return new CommandFailure(
    'notFound',
    `The cluster at ${server} (context ${context}) does not know ManagedClusters. Choose the hub with --context, or install Open Cluster Management there.`,
  );
}
