// How a look sees a set and its Capps. It reads caches and writes nothing.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { childName } from '../../../crds/set/child.ts';
import { decisionFor } from '../rollout/decision.ts';
import { isReachableIn } from '../retire/reach.ts';
import { breather } from '../breather.ts';
import type { Sight } from '../rollout/look.ts';
import { lostSite } from '../rollout/lost.ts';
import { isReady } from './observed.ts';
import { sitesNamed, type ExcludedSite, type SelectOptions } from './selected.ts';
import { childOn, memberOn, type SetMember } from './targets.ts';
import { asWritten, wantedBy } from './wanted.ts';

export type SetSight = Sight<Capp, SetMember, ExcludedSite>;

/** What a look needs of a set's spec beside what its Capps are to have. */
export interface SetToLookAt extends Pick<CappSet, 'metadata'> {
  readonly spec: Pick<CappSet['spec'], 'placement' | 'sites' | 'strategy' | 'whenUnselected'>;
}

/**
 * `copies`: all Capps of the set. What the set says of each site is found before, a few sites at a time, so
 * that a large set holds the thread for moments only. Throws the reason of the signal once that is aborted.
 */
export async function sightOf(
  options: SelectOptions,
  set: CappSet,
  copies: readonly Capp[],
  signal?: AbortSignal,
): Promise<SetSight> {
  const wanted = wantedBy(set.spec);
  const capp = cappsBy(options, set, copies);
  const breathe = breather(signal);
  const sight = sightWith(options, set, copies, wanted);
  const { decision, siteOf } = sight;
  const clusters = decision.undecided === null ? decision.clusters : copies.map(siteOf);
  for (const site of sitesNamed(options, clusters).sites) {
    wanted(site, childOn({ set, capp }, site.cluster).child);
    await breathe();
  }
  return sight;
}

/** `wanted`: what the set says of each site. */
export function sightWith(
  options: SelectOptions,
  set: SetToLookAt,
  copies: readonly Capp[],
  wanted: ReturnType<typeof wantedBy>,
): SetSight {
  const capp = cappsBy(options, set, copies);
  const siteOf = ({ spec, metadata }: Capp): string => spec.site ?? metadata.name;
  return {
    object: set,
    strategy: set.spec.strategy,
    decision: decisionFor(options, set),
    copies,
    keepsUnselected: set.spec.whenUnselected === 'Keep',
    siteOf,
    isGoing: ({ metadata }) => metadata.deletionTimestamp !== undefined,
    isReady,
    isDisabled: ({ spec }) => spec.state === 'disabled',
    isReachable: (child) => isReachableIn(options.caches, siteOf(child)),
    lostSiteOf: (child) => lostSite(options.caches, siteOf(child)),
    // What the template says of a site is of no use where nothing can be sent.
    lostMember: (site, judging) =>
      memberOn({ ...judging, set, capp, wanted: asWritten }, { ...site, reachable: false, draining: false }),
    removableAt: () => 0,
    besides: (clusters) => {
      const names = new Set(clusters.map((cluster) => childName(set.metadata.name, cluster)));
      return copies.filter(({ metadata }) => !names.has(metadata.name));
    },
    select: (clusters) => {
      const { sites, excluded } = sitesNamed(options, clusters);
      return {
        barred: excluded,
        members: (judging) => sites.map((site) => memberOn({ ...judging, set, capp, wanted }, site)),
      };
    },
  };
}

function cappsBy(
  { caches }: SelectOptions,
  { metadata: { namespace = '' } }: Pick<CappSet, 'metadata'>,
  copies: readonly Capp[],
): (name: string) => Capp | undefined {
  const live = new Map(copies.map((child) => [child.metadata.name, child]));
  return (of) => live.get(of) ?? caches.capps.get({ namespace, name: of });
}
