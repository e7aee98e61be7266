// Rights on a site that two hubs share without knowing: a namespace's Bundles have the same executor for all
// hubs until the RCSConfig says otherwise. Pure.
import { hubsOnSite } from '../../crds/ocm/executors.ts';
import type { DoctorFacts, Fault } from './facts.ts';

const MOST_NAMED = 3;

export function executorFaults({ clusters, configs, bundles }: DoctorFacts): Fault[] {
  const isApart = configs?.[0]?.spec.bundles?.executors === 'HubAndNamespace';
  if (configs === null || isApart || (bundles ?? []).length === 0) return [];
  const shared = (clusters ?? [])
    .filter((cluster) => hubsOnSite(cluster).length > 1)
    .map(({ metadata }) => metadata.name)
    .toSorted();
  if (shared.length === 0) return [];
  const more = shared.length > MOST_NAMED ? ` and ${shared.length - MOST_NAMED} more` : '';
  const named = `${shared.slice(0, MOST_NAMED).join(', ')}${more}`;
  return [
    {
      about: 'Bundles',
      problem: `Several hubs are on ${named}, and a namespace's Bundles can use there the rights that were given to those of the same namespace of another hub.`,
      remedy:
        'Have the names of executors bear the hub: spec.bundles.executors of the RCSConfig (docs/bundles.md, "A site with two hubs").',
    },
  ];
}
