// Rights that the Go operators' add-ons leave behind on the hub. Pure.
import type { Facts, Fault } from './facts.ts';

/** By these the agent of each cluster may write and delete every Capp of the hub. */
const ROLE = /^open-cluster-management:capp-status-addon:(.+):agent$/;
const SHOWN = 3;

export function predecessorFaults({ clusterRoles }: Facts): Fault[] {
  const clusters = (clusterRoles ?? []).flatMap(({ metadata }) => ROLE.exec(metadata.name)?.[1] ?? []);
  if (clusters.length === 0) return [];
  const more = clusters.length > SHOWN ? ` and ${clusters.length - SHOWN} more` : '';
  return [
    {
      about: 'rights',
      problem: `The add-on capp-status-addon of rcs-ocm-deployer lets ${clusters.slice(0, SHOWN).join(', ')}${more} change and delete every Capp of this hub.`,
      remedy: 'Remove it and its ClusterRoles (docs/install.md#remove-the-go-operators-add-ons).',
    },
  ];
}
