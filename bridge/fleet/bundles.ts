// Which Bundles a change on the hub concerns. Of works the bridge knows metadata alone, so any change of one
// is news.
import { isDeepStrictEqual } from 'node:util';
import type { Bundle } from '../../crds/bundle/bundle.ts';
import { bundleOfWork, isWorkOfBundle } from '../../crds/ocm/bundle-work.ts';
import { bundleOfChecks } from '../../crds/ocm/check-work.ts';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import { isOrphaning } from '../../kube/finalizer.ts';
import { keyText, keyTextOf, type KubeObject } from '../../kube/resource.ts';
import { versionsOfOpenings, type SiteOpenings, type OpeningsWatched } from '../changes/openings.ts';
import { listenToSelection } from '../changes/selection.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import { BRIDGE_TIMES } from '../times.ts';
import type { CallOwner, KeptKind } from './keep.ts';
import { listenToOpened, listenToSites } from './sites.ts';

export type BundlesWatched = Pick<
  BridgeWatched,
  'bundles' | 'works' | 'secrets' | 'configMaps' | 'decisions' | keyof OpeningsWatched
>;

export function keptBundles(watched: BundlesWatched, openings: SiteOpenings): KeptKind {
  const { bundles } = watched;
  return {
    kind: 'Bundle',
    list: () => bundles.list(),
    get: (key) => bundles.get(key),
    leftBy: () => leftBy(watched),
    beside: () => versionsOfOpenings(watched),
    listen: (call) => {
      const ends = [
        ...listenToBundles(watched, call),
        ...listenToSelection(watched, () => bundles.list(), call),
        listenToSites(watched, () => bundles.list(), call),
        listenToOpened(openings, () => bundles.list().filter(isRestricted(watched)), call),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** Those of other namespaces may go to every site. */
function isRestricted({ configs }: BundlesWatched): (bundle: Bundle) => boolean {
  const free = new Set(configs.list().flatMap(({ spec }) => spec.bundles?.unrestricted ?? []));
  return ({ metadata: { namespace = '' } }) => !free.has(namespace);
}

function listenToBundles(watched: BundlesWatched, call: CallOwner): (() => void)[] {
  const { bundles, works, secrets, configMaps } = watched;
  const readersOf = (index: 'secret' | 'configMap', source: KubeObject): void => {
    for (const bundle of bundles.by(index, keyTextOf(source))) call(bundle, null, null);
  };
  return [
    bundles.subscribe(({ type, object, previous }) => {
      // A Modified of the first list cannot be told from one that was missed.
      if (type !== 'Modified' || previous === null || isNews(previous, object)) call(object, null, null);
    }),
    works.subscribe(({ object, initial }) => {
      const metadata = initial ? null : (bundleOfWork(object) ?? bundleOfChecks(object));
      if (metadata !== null) call({ metadata }, object, MANIFEST_WORK.kind, BRIDGE_TIMES.fleetCopies.ms);
    }),
    secrets.subscribe(({ object, initial }) => {
      if (!initial) readersOf('secret', object);
    }),
    configMaps.subscribe(({ object, initial }) => {
      if (!initial) readersOf('configMap', object);
    }),
  ];
}

/** A change of the status alone is no news. */
function isNews(before: Bundle, { metadata }: Bundle): boolean {
  return (
    before.metadata.uid !== metadata.uid ||
    before.metadata.generation !== metadata.generation ||
    before.metadata.deletionTimestamp !== metadata.deletionTimestamp ||
    isOrphaning(before) !== isOrphaning({ metadata }) ||
    !isDeepStrictEqual(before.metadata.annotations, metadata.annotations)
  );
}

function leftBy({ bundles, works }: BundlesWatched): Set<string> {
  const owners = works.list().flatMap((work) => {
    const owner = bundleOfWork(work);
    if (owner === null) return bundleOfChecks(work) ?? [];
    return isWorkOfBundle(work, owner) ? [owner] : [];
  });
  return new Set(owners.filter((owner) => bundles.get(owner) === undefined).map(keyText));
}
