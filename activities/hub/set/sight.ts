// How a look sees a set and its Capps. Pure, but for the caches that it reads.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { childName } from '../../../crds/set/child.ts';
import { decisionFor } from '../rollout/decision.ts';
import type { Sight } from '../rollout/look.ts';
import { sitesNamed, type Excluded, type SelectOptions } from './selected.ts';
import { isReady, memberOn, type Member } from './targets.ts';

export type SetSight = Sight<Capp, Member, Excluded>;

/** `copies`: all Capps of the set. */
export function sightOf(options: SelectOptions, set: CappSet, copies: readonly Capp[]): SetSight {
  const { namespace = '', name } = set.metadata;
  const live = new Map(copies.map((child) => [child.metadata.name, child]));
  return {
    object: set,
    strategy: set.spec.strategy,
    decision: decisionFor(options, set),
    copies,
    keepsUnselected: set.spec.whenUnselected === 'Keep',
    siteOf: ({ spec, metadata }) => spec.site ?? metadata.name,
    isGoing: ({ metadata }) => metadata.deletionTimestamp !== undefined,
    isReady,
    removableAt: () => 0,
    besides: (clusters) => {
      const names = new Set(clusters.map((cluster) => childName(name, cluster)));
      return copies.filter(({ metadata }) => !names.has(metadata.name));
    },
    select: (clusters) => {
      const { sites, excluded } = sitesNamed(options, clusters);
      const capp = (of: string) => live.get(of) ?? options.caches.capps.get({ namespace, name: of });
      return {
        barred: excluded,
        members: (judging) => sites.map((site) => memberOn({ ...judging, set, capp }, site)),
      };
    },
  };
}
