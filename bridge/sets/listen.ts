// Which sets a change on the hub concerns.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../crds/capp/capp.ts';
import { PAUSED, SET_REQUESTS } from '../../crds/labels.ts';
import { DRAIN } from '../../crds/drain/drain.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import type { CappSet } from '../../crds/set/cappset.ts';
import { setOf, writtenOf } from '../../crds/set/child.ts';
import { isOrphaning } from '../../kube/finalizer.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { listenToSelection } from '../changes/selection.ts';
import type { Watched } from '../changes/watched.ts';
import { isNewsOfCluster, isReady } from '../changes/causes.ts';
import { BRIDGE_TIMES } from '../times.ts';

export type SetsWatched = Pick<
  Watched,
  'sets' | 'capps' | 'placements' | 'decisions' | 'clusters' | 'configs' | 'drains'
>;

/** `kind`: a cache of it must have what changed; null for what is read live. */
type Call = (set: CappSet, changed: KubeObject | null, kind: string | null, patienceMs?: number) => void;

/** Returns the function that ends it. */
export function listenForSets(watched: SetsWatched, call: Call): () => void {
  const ends = [
    listenToSets(watched, call),
    listenToChildren(watched, call),
    ...listenToSelection(watched, () => watched.sets.list(), call),
    listenToClusters(watched, call),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function listenToSets({ sets }: SetsWatched, call: Call): () => void {
  return sets.subscribe(({ type, object, previous }) => {
    // A Modified of the first list cannot be told from one that was missed.
    if (type !== 'Modified' || previous === null || isNews(previous, object)) call(object, null, null);
  });
}

/** A change of the status alone is no news. */
function isNews(was: CappSet, is: CappSet): boolean {
  const of = ({ metadata }: CappSet): unknown => {
    const { uid, generation, deletionTimestamp, annotations = {} } = metadata;
    return [
      uid,
      generation,
      deletionTimestamp,
      isOrphaning({ metadata }),
      SET_REQUESTS.map((name) => annotations[name]),
      annotations[PAUSED],
    ];
  };
  return !isDeepStrictEqual(of(was), of(is));
}

/** Many Capps become Ready within a second: they are one look. */
function listenToChildren({ sets, capps }: SetsWatched, call: Call): () => void {
  return capps.subscribe(({ type, object, previous, initial }) => {
    if (initial || (type === 'Modified' && previous !== null && !isEdge(previous, object))) return;
    // What the set itself writes is no news to it.
    if (type === 'Added' && writtenOf(object.metadata) !== null) return;
    const owners = new Set([object, ...(previous === null ? [] : [previous])].map(setOf));
    const { namespace = '', name } = object.metadata;
    for (const set of sets.list(namespace)) {
      const isOwn = owners.has(`${namespace}/${set.metadata.uid ?? ''}`);
      if (isOwn || (type === 'Deleted' && mayBeNamed(name, set)))
        call(set, object, 'Capp', BRIDGE_TIMES.setChildren.ms);
    }
  });
}

/** A Capp that is not of the set may have kept one of the set's from its name. */
function mayBeNamed(name: string, { metadata }: CappSet): boolean {
  return name.startsWith(`${metadata.name}-`);
}

/** It has become Ready at its generation, or is that no longer, for another reason, or is being deleted. */
function isEdge(was: Capp, is: Capp): boolean {
  const of = (capp: Capp): unknown => {
    const ready = capp.status?.conditions?.find(({ type }) => type === 'Ready');
    const isAbout = ready?.observedGeneration === capp.metadata.generation;
    return [isReady(capp), isAbout ? ready?.reason : null, capp.metadata.deletionTimestamp, setOf(capp)];
  };
  return !isDeepStrictEqual(of(was), of(is));
}

/** A site that is lost or back, and one whose labels changed, which overrides and stages may name. */
function listenToClusters({ sets, clusters, drains }: SetsWatched, call: Call): () => void {
  const all = (object: KubeObject, kind: string): void => {
    for (const set of sets.list()) call(set, object, kind, BRIDGE_TIMES.setChildren.ms);
  };
  const labels = ({ metadata }: ManagedCluster): unknown => metadata.labels ?? {};
  const ends = [
    clusters.subscribe(({ type, object, previous, initial }) => {
      const before = type === 'Modified' ? previous : null;
      const isNew = before === null || isNewsOfCluster(before, object);
      if (!initial && (type === 'Deleted' || isNew || !isDeepStrictEqual(labels(before), labels(object))))
        all(object, MANAGED_CLUSTER.kind);
    }),
    drains.subscribe(({ type, object, initial }) => {
      if (!initial && type !== 'Modified') all(object, DRAIN.kind);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
