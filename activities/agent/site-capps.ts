// The Capps of a site as the agent reads them, whichever operator the site runs: those of v0.3.6 together with their Knative Services.
import type { Capp } from '../../crds/capp.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../crds/knative.ts';
import { ROLLOUT } from '../../crds/labels.ts';
import { cache, type Cache } from '../../kube/cache.ts';
import type { Kube } from '../../kube/client.ts';
import type { Change } from '../../kube/store.ts';
import { asReported, isLegacy } from './legacy.ts';

/** What of a cache of Capps the agent uses. */
export type SiteCapps = Pick<Cache<Capp>, 'get' | 'list' | 'subscribe'>;

export interface SiteCappsOptions {
  readonly capps: SiteCapps;
  /** Begins to watch the site's Knative Services: called once, when the first Capp is seen that needs it. */
  readonly watchServices: () => Cache<KnativeService>;
}

export interface WatchedSite extends SiteCapps {
  /** Resolves when what Services say is known as well, if any Capp needs it. Takes a synced cache of Capps. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

type Listener = (change: Change<Capp>) => void;

/** Sites of our own operator cost no second watch. A Capp whose Service is not known yet is as if it were not there. */
export function siteCapps({ capps, watchServices }: SiteCappsOptions): WatchedSite {
  const listeners = new Set<Listener>();
  let services: { readonly cache: Cache<KnativeService>; readonly synced: Promise<void>; isSynced: boolean } | null = null;

  const tell = (capp: Capp | undefined): void => {
    const object = capp === undefined || !isLegacy(capp) ? undefined : complete(capp);
    if (object === undefined) return;
    for (const listener of listeners) listener({ type: 'Modified', object, previous: object, initial: false });
  };
  const follow = (): NonNullable<typeof services> => {
    const watch = watchServices();
    watch.subscribe(({ object: { metadata }, initial }) => {
      if (!initial) tell(capps.get({ namespace: metadata.namespace ?? null, name: metadata.name }));
    });
    const synced = watch.synced.then(() => {
      followed.isSynced = true;
      for (const capp of capps.list()) tell(capp);
    });
    const followed = { cache: watch, synced, isSynced: false };
    return followed;
  };
  const complete = (capp: Capp): Capp | undefined => {
    if (!isLegacy(capp)) return capp;
    services ??= follow();
    const { namespace = null, name } = capp.metadata;
    return services.isSynced ? asReported(capp, services.cache.get({ namespace, name }) ?? null) : undefined;
  };
  const unsubscribe = capps.subscribe((change) => {
    const object = change.type === 'Deleted' ? change.object : complete(change.object);
    if (object !== undefined) for (const listener of listeners) listener({ ...change, object });
  });
  return {
    get: (key) => {
      const capp = capps.get(key);
      return capp === undefined ? undefined : complete(capp);
    },
    list: (namespace) => capps.list(namespace).flatMap((capp) => complete(capp) ?? []),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    settled: async () => {
      if (capps.list().some(isLegacy)) await (services ??= follow()).synced;
    },
    stop: async () => {
      unsubscribe();
      await services?.cache.stop();
    },
  };
}

export function watchServices(kube: Kube, onProblem: (error: unknown) => void): Cache<KnativeService> {
  return cache<KnativeService>(kube, { resource: KNATIVE_SERVICE, transform: lean, onProblem });
}

/** Of a Service only its stamp and what Knative says of it. */
function lean({ metadata, spec, status }: KnativeService): KnativeService {
  const { name, namespace = '', uid = '', resourceVersion = '', generation = 0 } = metadata;
  const stamp = spec?.template?.metadata?.annotations?.[ROLLOUT];
  return {
    metadata: { name, namespace, uid, resourceVersion, generation },
    ...(stamp === undefined ? {} : { spec: { template: { metadata: { annotations: { [ROLLOUT]: stamp } } } } }),
    ...(status === undefined ? {} : { status }),
  };
}
