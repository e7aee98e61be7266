// How a look sees a Bundle and its works. Pure, but for the caches that it reads.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { Strategy } from '../../../crds/rollout/stages.ts';
import { decisionFor } from '../rollout/decision.ts';
import type { Look, Sight } from '../rollout/look.ts';
import { lostSite } from '../rollout/lost.ts';
import { isReachableIn } from '../retire/reach.ts';
import { HUB_TIMES } from '../times.ts';
import { awaitedOn } from './orphaning.ts';
import type { CheckGround } from './checks/seen.ts';
import { memberOn, type BundleFacts, type BundleMember } from './members.ts';
import type { Freed } from './owners/heirs.ts';
import type { BundleWork } from './status/seen.ts';
import { sitesOf, unlessShared, type SelectRules, type BundleSite } from './sites.ts';

export type BundleSight = Sight<BundleWork, BundleMember, BundleSite>;

/** `barred`: sites that are selected, and where the Bundle may not go. */
export type BundleLook = Look<BundleWork, BundleMember, BundleSite>;

export interface BundleToLookAt {
  readonly bundle: Bundle;
  readonly strategy: Strategy;
  readonly rendered: BundleFacts['rendered'];
  /** All works of the Bundle. */
  readonly works: readonly BundleWork[];
  /** What is to be applied by force; if absent, nothing. */
  readonly freed?: Freed;
  /** Where stages have checks; if absent, none has. */
  readonly checking?: CheckGround;
}

export function sightOf(
  rules: SelectRules,
  { bundle, strategy, rendered, works, freed, checking }: BundleToLookAt,
): BundleSight {
  const known = {
    rendered,
    ...(freed === undefined ? {} : { freed }),
    ...(checking === undefined ? {} : { checking }),
  };
  const byCluster = new Map(works.map((work) => [siteOf(work), work]));
  return {
    object: bundle,
    strategy,
    decision: decisionFor(rules, bundle),
    copies: works,
    keepsUnselected: false,
    siteOf,
    isGoing: ({ metadata }) => metadata.deletionTimestamp !== undefined,
    isReady: ({ seen }) => seen.state === 'Ready',
    isReachable: (work) => isReachableIn(rules.caches, siteOf(work)),
    lostSiteOf: (work) => lostSite(rules.caches, siteOf(work)),
    lostMember: ({ cluster, labels, lostSince }, judging) => {
      const asCarried = { ...known, rendered: { ...rendered, content: null } };
      const site = { cluster, labels, lostSince, refusal: null, isReachable: false };
      return memberOn({ ...judging, ...asCarried }, site, byCluster.get(cluster));
    },
    removableAt,
    isAwaited: (work) => awaitedOn(rules.caches, bundle, work) !== null,
    besides: (clusters) => {
      const selected = new Set(clusters);
      return works.filter((work) => !selected.has(siteOf(work)));
    },
    select: (clusters) => {
      const sites = sitesOf(rules, bundle, clusters).map((site) =>
        byCluster.has(site.cluster) ? site : unlessShared(rules, bundle, site),
      );
      const open = sites.filter(({ refusal }) => refusal === null);
      return {
        barred: sites.filter(({ refusal }) => refusal !== null),
        members: (judging) =>
          open.map((site) => memberOn({ ...judging, ...known }, site, byCluster.get(site.cluster))),
      };
    },
  };
}

function siteOf({ metadata: { namespace = '' } }: Pick<BundleWork, 'metadata'>): string {
  return namespace;
}

/** When `removeWork` deletes a work that no agent has taken up yet. */
function removableAt({ metadata, seen }: BundleWork): number {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return seen.isTakenUp || Number.isNaN(created) ? 0 : created + HUB_TIMES.workAgent.ms;
}
