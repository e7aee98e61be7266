// Which CappSets a change on the hub concerns.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../crds/capp/capp.ts';
import { isHeldBack } from '../../crds/capp/requests.ts';
import { PAUSED, SET_REQUESTS } from '../../crds/labels.ts';
import { DRAIN, isDraining } from '../../crds/drain/drain.ts';
import type { CappSet } from '../../crds/set/cappset.ts';
import { setOf, writtenOf } from '../../crds/set/child.ts';
import { isOrphaning } from '../../kube/finalizer.ts';
import { versionsOfOpenings, type SiteOpenings, type OpeningsWatched } from '../changes/openings.ts';
import { listenToSelection } from '../changes/selection.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import { isReady } from '../changes/causes.ts';
import { BRIDGE_TIMES } from '../times.ts';
import type { CallOwner, KeptKind } from './keep.ts';
import { listenToOpened, listenToSites } from './sites.ts';

export type SetsWatched = Pick<
  BridgeWatched,
  'sets' | 'capps' | 'decisions' | 'drains' | keyof OpeningsWatched
>;

export function keptSets(watched: SetsWatched, openings: SiteOpenings): KeptKind {
  const { sets } = watched;
  return {
    kind: 'CappSet',
    list: () => sets.list(),
    get: (key) => sets.get(key),
    // What it owns goes with it.
    leftBy: () => new Set(),
    beside: () => versionsOfOpenings(watched),
    listen: (call) => {
      const ends = [
        listenToSets(watched, call),
        listenToChildren(watched, call),
        ...listenToSelection(watched, () => sets.list(), call),
        listenToSites(watched, () => sets.list(), call),
        listenToOpened(openings, () => sets.list(), call),
        listenToDrains(watched, call),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

function listenToSets({ sets }: SetsWatched, call: CallOwner): () => void {
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
function listenToChildren({ sets, capps }: SetsWatched, call: CallOwner): () => void {
  return capps.subscribe(({ type, object, previous, initial }) => {
    if (initial || (type === 'Modified' && previous !== null && !isEdge(previous, object))) return;
    // What the set itself writes is no news to it.
    if (type === 'Added' && writtenOf(object.metadata) !== null) return;
    const owners = new Set([object, ...(previous === null ? [] : [previous])].map(setOf));
    const { namespace = '', name } = object.metadata;
    for (const set of sets.list(namespace)) {
      const isOwn = owners.has(`${namespace}/${set.metadata.uid ?? ''}`);
      if (isOwn || (type === 'Deleted' && mayBeNamed(name, set)))
        call(set, object, 'Capp', BRIDGE_TIMES.fleetCopies.ms);
    }
  });
}

/** A Capp that is not of the set may have kept one of the set's from its name. */
function mayBeNamed(name: string, { metadata }: CappSet): boolean {
  return name.startsWith(`${metadata.name}-`);
}

/**
 * It has become Ready at its generation, or is that no longer, for another reason; it is paused or goes on;
 * or it is being deleted.
 */
function isEdge(was: Capp, is: Capp): boolean {
  const of = (capp: Capp): unknown => {
    const ready = capp.status?.conditions?.find(({ type }) => type === 'Ready');
    const isAbout = ready?.observedGeneration === capp.metadata.generation;
    const { deletionTimestamp } = capp.metadata;
    const { verification, failedVerification } = capp.status ?? {};
    const checks = [verification, failedVerification].map((said) => [
      said?.key,
      said?.verdict,
      said?.generation,
    ]);
    const readiness = [isReady(capp), isAbout ? ready?.reason : null, isHeldBack(capp)];
    return [readiness, checks, deletionTimestamp, setOf(capp)];
  };
  return !isDeepStrictEqual(of(was), of(is));
}

/** Nothing new is placed on a site that is drained, until its Drain goes or becomes a dry run. */
function listenToDrains({ sets, drains }: SetsWatched, call: CallOwner): () => void {
  return drains.subscribe(({ type, object, previous, initial }) => {
    // The last that is known of a deleted Drain may be that it is being deleted.
    const [was, is] = [previous !== null && isDraining(previous), type !== 'Deleted' && isDraining(object)];
    if (initial || was === is) return;
    for (const set of sets.list()) call(set, object, DRAIN.kind, BRIDGE_TIMES.fleetCopies.ms);
  });
}
