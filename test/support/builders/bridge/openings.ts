// A hub whose clustersets, bindings, Placements and labels a test changes, and for whom it rings then.
import { openingsOf } from '../../../../bridge/changes/openings.ts';
import { listenToPlacing } from '../../../../bridge/changes/placing.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import { keptBundles } from '../../../../bridge/fleet/bundles.ts';
import { keptSets } from '../../../../bridge/fleet/sets.ts';
import { CLUSTER_SET_LABEL } from '../../../../crds/ocm/placements.ts';
import { type KubeObject, keyText } from '../../../../kube/resource.ts';
import { Store, type Change } from '../../../../kube/watch/store.ts';
import { aCluster, aConfig, onSite } from '../placing-rings.ts';

/** A cache over a real store, so that a list may replace many objects at once. */
function cached(...first: KubeObject[]) {
  const store = new Store<KubeObject>({ indexes: { requires: () => [], name: () => [], work: () => [] } });
  const listeners = new Set<(change: Change<KubeObject>) => void>();
  let version = 0;
  const tell = (changes: readonly Change<KubeObject>[]): void => {
    for (const change of changes) for (const listener of listeners) listener(change);
  };
  const next = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: `${(version += 1)}` },
  });
  for (const object of first) store.put(next(object));
  return {
    put: (object: KubeObject) => tell(store.put(next(object))),
    drop: (object: KubeObject) => tell(store.drop(object)),
    list: (objects: readonly KubeObject[], initial = false) =>
      tell(store.replace(objects.map(next), `${(version += 1)}`, initial)),
    cache: {
      get: (key: { namespace: string | null; name: string }) => store.get(keyText(key)),
      list: () => store.all(),
      by: (index: string, value: string) => store.by(index, value),
      changedAt: () => `${version}`,
      subscribe: (listener: (change: Change<KubeObject>) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

/** The label of the clusterset `red`. */
export const IN_RED = { [CLUSTER_SET_LABEL]: 'red' };

/** A ManagedCluster that is Available, with these labels alone. */
export const cluster = (name: string, labels: Record<string, string> = {}): KubeObject => {
  const plain = aCluster(name);
  return { ...plain, metadata: { ...plain.metadata, labels } };
};

/** The binding of a clusterset to a namespace. */
export const bound = (name: string, namespace = 'placements'): KubeObject =>
  ({ metadata: { namespace, name }, spec: { clusterSet: name } }) as KubeObject;

/** A clusterset by label, or with `region` by a selector for it. */
export const set = (name: string, region?: string): KubeObject => {
  const by = { selectorType: 'LabelSelector', labelSelector: { matchLabels: { region } } };
  return { metadata: { name }, spec: region === undefined ? {} : { clusterSelector: by } } as KubeObject;
};

/** The Placement `all` of the RCSConfig. */
export const placement = (clusterSets?: readonly string[]): KubeObject =>
  ({ metadata: { namespace: 'placements', name: 'all' }, spec: { clusterSets } }) as KubeObject;

/** A CappSet or a Bundle, by its spec. */
export const fleet = (name: string, spec: object, namespace = 'apps'): KubeObject =>
  ({ metadata: { namespace, name, uid: name }, spec }) as KubeObject;

/** The part of a spec that names clusters. */
export const named = (...clusters: string[]) => ({ sites: { clusters } });

const edited = onSite('edited', 'site-2', { site: 'site-1' });
const CAPPS = [
  onSite('waits-1', null, { site: 'site-1' }),
  onSite('waits-2', null, { site: 'site-2' }),
  onSite('runs', 'site-1', { site: 'site-1' }),
  onSite('anywhere', null),
  { ...edited, status: { ...edited.status, migration: { placedFor: 'site-2' } } } as KubeObject,
];

/** The clustersets red (by label: site-1) and near (by region), and what of it is bound where. */
export function hub(sets: KubeObject[], bindings: KubeObject[]) {
  const caches = {
    capps: cached(...CAPPS),
    configs: cached(aConfig(['all'], { bundles: { unrestricted: ['platform'] } })),
    placements: cached(placement()),
    decisions: cached(),
    clusters: cached(cluster('site-1', IN_RED), cluster('site-2', { region: 'far' })),
    clusterSets: cached(...sets),
    setBindings: cached(...bindings),
    works: cached(),
    drains: cached(),
    secrets: cached(),
    configMaps: cached(),
    sets: cached(fleet('set-1', named('site-1')), fleet('spread', { placement: 'all' })),
    bundles: cached(
      fleet('bundle-1', named('site-1', 'site-2')),
      fleet('bundle-2', named('site-2')),
      fleet('free', named('site-1'), 'platform'),
    ),
  };
  const watched = Object.fromEntries(
    Object.entries(caches).map(([name, { cache }]) => [name, cache]),
  ) as unknown as BridgeWatched;
  const rung = new Set<string>();
  const patience = new Set<number>();
  const openings = openingsOf(watched);
  listenToPlacing(watched, (key) => void rung.add(key.replace('apps/', '')), openings);
  for (const kept of [keptSets(watched, openings), keptBundles(watched, openings)])
    kept.listen(({ metadata }, _changed, _kind, patienceMs = 0) => {
      rung.add(metadata.name);
      patience.add(patienceMs);
    });
  return { ...caches, watched, rung: () => [...rung], forget: () => rung.clear(), patience };
}

/** Whom a change rings that opens or closes site-1. */
export const OF_SITE_1 = ['waits-1', 'edited', 'set-1', 'spread', 'bundle-1'];
