// Reads what has happened to a Capp, a CappSet or a Bundle, as far as the person may read it.
import { ApiError } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { historyOf, type ShownEvent, type PastHappening } from '../../explain/capp/history.ts';
import { bundleHistoryOf, setHistoryOf } from '../../explain/set/history.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import type { NamedObject } from './named.ts';
import { revisionsOf } from './revisions.ts';
import { revisionsOfSet } from './sets.ts';
import { revisionsOfBundle } from './steered.ts';

/** Under this version every role that may view a namespace may read them. */
const EVENT = { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true } as const;

export interface History {
  /** Newest first. */
  readonly happenings: readonly PastHappening[];
  /** Kinds that the person may not read, so that what they say is missing. */
  readonly unread: readonly string[];
}

/** Throws ApiError, but for missing rights. */
export async function readHistory(hub: ConnectedHub, found: NamedObject): Promise<History> {
  const { namespace = '', name, uid = '' } = found.object.metadata;
  const unread: string[] = [];
  const orNothing = async <T>(what: string, reading: Promise<T[]>): Promise<T[]> => {
    const read = await readable(reading);
    if (read === null) unread.push(what);
    return read ?? [];
  };
  const events = await orNothing('events', eventsOf(hub, namespace, { name, uid }));
  const happenings = async (): Promise<PastHappening[]> => {
    switch (found.is) {
      case 'Capp': {
        const revisions = await orNothing('capprevisions', revisionsOf(hub, found.object));
        return historyOf(found.object, events, revisions);
      }
      case 'CappSet': {
        const revisions = await orNothing('setrevisions', revisionsOfSet(hub, found.object));
        return setHistoryOf(found.object, events, revisions);
      }
      case 'Bundle': {
        const revisions = await orNothing('bundlerevisions', revisionsOfBundle(hub, found.object));
        return bundleHistoryOf(found.object, events, revisions);
      }
    }
  };
  return { happenings: await happenings(), unread };
}

async function eventsOf(
  { kube }: ConnectedHub,
  namespace: string,
  { name, uid }: { name: string; uid: string },
): Promise<ShownEvent[]> {
  const fieldSelector = `involvedObject.name=${name},involvedObject.uid=${uid}`;
  return (await kube.list<KubeObject & ShownEvent>(EVENT, { namespace, fieldSelector })).items;
}

/** Null if the person may not read it. */
async function readable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return null;
    throw error;
  }
}
