// Turns changes on the hub into rings. It decides nothing: an unnecessary ring costs one look.
import type { Capp } from '../../crds/capp/capp.ts';
import { RCS_CONFIG } from '../../crds/hub/rcs-config.ts';
import { MANAGED_CLUSTER_SET, MANAGED_CLUSTER_SET_BINDING } from '../../crds/ocm/placements.ts';
import { keyedQueue } from '../../kube/queue.ts';
import { keyTextOf, type KubeObject } from '../../kube/resource.ts';
import type { Change } from '../../kube/watch/store.ts';
import type { Cause } from '../../workflows/types/ring.ts';
import { versionsFor } from './beside.ts';
import {
  causeOfElsewhere,
  causesOfCapp,
  isNotThere,
  isMoving,
  siteOf,
  urgencyOfWork,
  waitsForWork,
} from './causes.ts';
import type { CauseCaller } from './caller.ts';
import { listenToDependencies } from './dependencies.ts';
import { listenToHostnames } from './hostnames.ts';
import { cappsOfWork, hasStray, uidLeft, worksOfCapp } from '../resync/own-works.ts';
import { listenToNames } from './names.ts';
import { listenToSealing } from './sealing.ts';
import type { SiteOpenings } from './openings.ts';
import { listenToPlacing } from './placing.ts';
import { listenToRecords } from './records.ts';
import type { Ringer } from '../ringer.ts';
import { settling } from './settling.ts';
import type { BridgeWatched } from './watched.ts';
import { BRIDGE_TIMES } from '../times.ts';

export interface Listening {
  stop(): Promise<void>;
}

/** `records` are the kinds of DNS records, where the hub keeps any. */
export function listen(
  watched: BridgeWatched,
  ringer: Ringer,
  openings: SiteOpenings,
  records: Parameters<typeof listenToRecords>[0] = [],
): Listening {
  const call = caller(watched, ringer);
  const callLast = caller(watched, ringer, true);
  const look = (key: string): void => call(key, 'work', null);
  const soon = keyedQueue({ work: async (key) => look(key) });
  const settled = settling({
    isNeeded: (key) => isWaitingForWork(watched, key),
    ring: (key) => callLast(key, 'work', null),
  });
  // One queue for both, since a Capp that begins to move meanwhile is rung once.
  const later = keyedQueue({
    work: async (key) => {
      if (!isOnItsWay(watched, key)) settled.add(key);
      else if (isWaitingForWork(watched, key)) look(key);
    },
  });
  const unexplained = keyedQueue({
    work: async (key) => {
      const capp = cappAt(watched, key);
      if (capp !== undefined && hasStray(watched, capp)) call(key, 'stray', null);
    },
  });
  const wait: Waiting = {
    unexplained: (key) => unexplained.add(key, BRIDGE_TIMES.workStatus.ms),
    soon: (key) => soon.add(key, BRIDGE_TIMES.workStatus.ms),
    later: (key) =>
      later.add(key, isOnItsWay(watched, key) ? BRIDGE_TIMES.workOfMove.ms : BRIDGE_TIMES.workStatus.ms),
  };
  const ends = [
    listenToCapps(watched, call, wait),
    listenToHostnames(watched, call),
    listenToWorks(watched, call, wait),
    ...listenToDependencies(watched, call),
    ...listenToPlacing(watched, call, openings),
    ...listenToNames(watched, call),
    ...listenToSealing(watched, call),
    ...listenToRecords(records, call),
  ];
  return {
    stop: async () => {
      for (const end of ends) end();
      await Promise.all([soon, later, settled, unexplained].map((queue) => queue.stop()));
    },
  };
}

function cappAt(watched: BridgeWatched, key: string): Capp | undefined {
  const [namespace = '', name = ''] = key.split('/');
  return watched.capps.get({ namespace, name });
}

function isWaitingForWork(watched: BridgeWatched, key: string): boolean {
  const capp = cappAt(watched, key);
  return capp !== undefined && waitsForWork(capp);
}

function isOnItsWay(watched: BridgeWatched, key: string): boolean {
  const capp = cappAt(watched, key);
  return capp !== undefined && isMoving(capp);
}

function patienceOf(cause: Cause, capp: Capp | undefined): number {
  return cause === 'decision' && capp !== undefined && siteOf(capp) !== null ? BRIDGE_TIMES.decision.ms : 0;
}

/** One change of it may concern all Capps. */
function isOfAll(kind: string | undefined): boolean {
  return [RCS_CONFIG, MANAGED_CLUSTER_SET, MANAGED_CLUSTER_SET_BINDING].some((one) => one.kind === kind);
}

/** A workflow is started only for an existing Capp, or for works of ours whose Capp is gone. */
function caller(watched: BridgeWatched, ringer: Ringer, isLast = false): CauseCaller {
  return (key, cause, object, kind) => {
    const [namespace = '', name = ''] = key.split('/');
    const resourceVersion = object?.metadata.resourceVersion;
    const changed = kind === undefined || resourceVersion === undefined ? null : { kind, resourceVersion };
    const capp = cappAt(watched, key);
    const uid = capp?.metadata.uid ?? uidLeft(watched, { namespace, name });
    const beside = capp === undefined ? {} : versionsFor(watched, capp, cause);
    // Those that wait for a site go before those that may have to look at theirs again.
    const yields = isLast || (isOfAll(kind) && capp !== undefined && siteOf(capp) !== null);
    ringer.ring({
      namespace,
      name,
      cause,
      changed,
      beside,
      uid,
      yields,
      patienceMs: patienceOf(cause, capp),
    });
  };
}

function listenToCapps({ capps }: BridgeWatched, call: CauseCaller, wait: Waiting): () => void {
  return capps.subscribe(({ type, object, previous, initial }) => {
    if (initial) return;
    const key = keyTextOf(object);
    if (type !== 'Deleted') {
      for (const cause of causesOfCapp(type === 'Added' ? null : previous, object))
        call(key, cause, object, 'Capp');
      if (previous !== null && isNotThere(object) && !isNotThere(previous)) wait.later(key);
      return;
    }
    // The beginning of a deletion has rung already, and the workflow released such a Capp.
    if (object.metadata.deletionTimestamp === undefined) call(key, 'meta', object, 'Capp');
  });
}

/** Works of a living Capp on other clusters than its site are no reason to ship again. */
function causeOfWork(
  capp: Capp | undefined,
  type: Change<KubeObject>['type'],
  { metadata }: KubeObject,
): Cause | null {
  const site = capp === undefined ? null : siteOf(capp);
  const isElsewhere =
    site !== null && site !== metadata.namespace && capp?.metadata.deletionTimestamp === undefined;
  return capp !== undefined && isElsewhere ? causeOfElsewhere(type, capp, metadata.namespace) : 'work';
}

interface Waiting {
  unexplained(this: void, key: string): void;
  soon(this: void, key: string): void;
  later(this: void, key: string): void;
}

/** Finds the work by its name: removing our labels must not keep its Capp from being rung. */
function listenToWorks(watched: BridgeWatched, call: CauseCaller, wait: Waiting): () => void {
  return watched.works.subscribe(({ type, object, previous, initial }) => {
    if (initial) return;
    const urgency = type === 'Deleted' ? 'now' : urgencyOfWork(type === 'Added' ? null : previous, object);
    for (const key of new Set([
      ...cappsOfWork(watched, object),
      ...(previous === null ? [] : cappsOfWork(watched, previous)),
    ])) {
      // The status of a move is written a moment after its work.
      if (type === 'Added') addedFor(watched, key, call, wait);
      const capp = cappAt(watched, key);
      const isNews = urgency === 'now' && !isEndingWith(capp, type, object);
      const cause = isNews ? causeOfWork(capp, type, object) : null;
      if (cause !== null) call(key, cause, object, 'ManifestWork');
      if (urgency === 'soon' || (urgency === 'later' && isDoubled(watched, key, object))) wait.soon(key);
      else if (urgency === 'later') wait.later(key);
    }
  });
}

/** A Capp that is being deleted deletes its works itself, and has to hear only when they are gone. */
function isEndingWith(
  capp: Capp | undefined,
  type: Change<KubeObject>['type'],
  { metadata }: KubeObject,
): boolean {
  const isGoing = capp?.metadata.deletionTimestamp !== undefined;
  return isGoing && type !== 'Deleted' && metadata.deletionTimestamp !== undefined;
}

/** A Capp that is being deleted has to delete a work that is created for it now as well. */
function addedFor(watched: BridgeWatched, key: string, call: CauseCaller, wait: Waiting): void {
  if (cappAt(watched, key)?.metadata.deletionTimestamp === undefined) wait.unexplained(key);
  else call(key, 'work', null);
}

/** Of two works of a Capp on one cluster, one is removed step by step as the site applies each step. */
function isDoubled(watched: BridgeWatched, key: string, { metadata }: KubeObject): boolean {
  const capp = cappAt(watched, key);
  const works = capp === undefined ? [] : worksOfCapp(watched, capp);
  return works.filter((work) => work.metadata.namespace === metadata.namespace).length > 1;
}
