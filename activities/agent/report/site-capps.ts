// The Capps of a site as the agent reads them. On a site that runs v0.3.6 each comes with its Knative
// Service.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import type { Cache } from '../../../kube/watch/cache.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Key } from '../../../kube/resource.ts';
import type { Change } from '../../../kube/watch/store.ts';
import { accessOf, filled, type WatchAccess } from './access.ts';
import { asReported, isLegacy } from './legacy.ts';
import { services, type ServicesOptions } from './services.ts';
import { AGENT_TIMES } from '../times.ts';

/** What other code needs of the site's Capps. */
export interface SiteCapps extends Pick<Cache<Capp>, 'get' | 'list' | 'subscribe'> {
  /** Whether the Capps shown are the present ones. */
  access(): WatchAccess;
  /** Calls whenever `access` may have changed. Returns the function that unsubscribes. */
  onAccess(listener: () => void): () => void;
}

export interface SiteCappsOptions {
  /** For live reads. */
  readonly kube: Pick<Kube, 'get'>;
  readonly capps: Pick<Cache<Capp>, 'get' | 'list' | 'subscribe' | 'synced' | 'problem' | 'onProblemChanged'>;
  /**
   * Which Capps are those of the agent's hub; all, if not given. The others are as if they were not there.
   */
  readonly isOurs?: (capp: Capp) => boolean;
  /** Starts to watch the site's Knative Services. Called once, for the first Capp that needs it. */
  readonly watchServices: ServicesOptions['watch'];
}

export interface WatchedSite extends SiteCapps {
  /** The Capp as the API server has it now, or null. Throws ApiError. */
  read(key: Key): Promise<Capp | null>;
  /** The same, of whichever hub it is. Throws ApiError. */
  readAny(key: Key): Promise<Capp | null>;
  /**
   * Resolves when everything is known: the Capps, and their Services if any Capp needs them. Rejects if
   * stopped before.
   */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Sites of our own operator cost no second watch. A Capp whose Service is not known yet counts as absent. */
export function siteCapps({ kube, capps: all, watchServices, isOurs }: SiteCappsOptions): WatchedSite {
  const capps = isOurs === undefined ? all : only(all, isOurs);
  const listeners = new Set<(change: Change<Capp>) => void>();
  const watchers = new Set<() => void>();
  const tell = (capp: Capp): void => {
    const object = isLegacy(capp) ? complete(capp) : undefined;
    if (object === undefined) return;
    for (const listener of listeners)
      listener({ type: 'Modified', object, previous: object, initial: false });
  };
  const tellAccess = (): void => watchers.forEach((watcher) => watcher());
  const needed = services({
    watch: watchServices,
    onNews: (key) => (key === null ? capps.list() : [capps.get(key) ?? []].flat()).forEach(tell),
    onAccess: tellAccess,
  });
  const complete = (capp: Capp): Capp | undefined => {
    if (!isLegacy(capp)) return capp;
    const { namespace = null, name } = capp.metadata;
    const service = needed.of({ namespace, name });
    return service === undefined ? undefined : asReported(capp, service);
  };
  const unsubscribe = capps.subscribe((change) => {
    const object = change.type === 'Deleted' ? change.object : complete(change.object);
    if (object !== undefined) for (const listener of listeners) listener({ ...change, object });
  });
  const unwatch = capps.onProblemChanged(tellAccess);
  return {
    get: (key) => {
      const capp = capps.get(key);
      return capp === undefined ? undefined : complete(capp);
    },
    list: (namespace) => capps.list(namespace).flatMap((capp) => complete(capp) ?? []),
    subscribe: (listener) => added(listeners, listener),
    access: () => (needed.isSeen() ? accessOf(capps) : 'Unreachable'),
    onAccess: (listener) => added(watchers, listener),
    readAny: (key) => readLive(kube, key),
    read: async (key) => {
      const capp = await readLive(kube, key);
      return capp === null || isOurs?.(capp) === false ? null : capp;
    },
    settled: async () => {
      await filled(capps);
      if (capps.list().some(isLegacy)) await needed.known();
    },
    stop: async () => {
      unsubscribe();
      unwatch();
      await needed.stop();
    },
  };
}

/** A Capp that is handed to another hub is gone for this one. */
function only(capps: SiteCappsOptions['capps'], isOurs: (capp: Capp) => boolean): SiteCappsOptions['capps'] {
  return {
    ...capps,
    get: (key) => {
      const capp = capps.get(key);
      return capp === undefined || !isOurs(capp) ? undefined : capp;
    },
    list: (namespace) => capps.list(namespace).filter(isOurs),
    subscribe: (listener) =>
      capps.subscribe((change) => {
        if (isOurs(change.object)) listener(change);
        else if (change.previous !== null && isOurs(change.previous))
          listener({ ...change, type: 'Deleted', object: change.previous });
      }),
  };
}

function added<L>(audience: Set<L>, listener: L): () => void {
  audience.add(listener);
  return () => void audience.delete(listener);
}

async function readLive(kube: Pick<Kube, 'get'>, key: Key): Promise<Capp | null> {
  const capp = await kube.get<Capp>(CAPP, key, { deadlineMs: AGENT_TIMES.read.ms });
  if (capp === null || !isLegacy(capp)) return capp;
  return asReported(
    capp,
    await kube.get<KnativeService>(KNATIVE_SERVICE, key, { deadlineMs: AGENT_TIMES.read.ms }),
  );
}
