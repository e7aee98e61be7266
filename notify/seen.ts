// What the notifier keeps of the hub's objects: their names and their news. No spec stays in memory.
import { BUNDLE } from '../crds/bundle/bundle.ts';
import { CAPP, type Capp } from '../crds/capp/capp.ts';
import { DRAIN, type Drain } from '../crds/drain/drain.ts';
import { RCS_CONFIG, type RcsConfig } from '../crds/hub/rcs-config.ts';
import { NOTIFICATION, type Notification } from '../crds/notify/notification.ts';
import { MANAGED_CLUSTER } from '../crds/ocm/ocm.ts';
import { CAPP_SET } from '../crds/set/cappset.ts';
import type { Kube } from '../kube/client.ts';
import type { KubeObject, Resource } from '../kube/resource.ts';
import { cachesOf, withoutManagedFields, type Cache, type OnProblem } from '../kube/watch/cache.ts';
import { newsOfCapp } from './news/capp.ts';
import { newsOfFleet } from './news/fleet.ts';
import { newsOfDrain, newsOfSite } from './news/hub.ts';
import type { News } from './news/news.ts';

/** An object as the notifier keeps it. */
export interface NotedObject extends KubeObject {
  readonly news: readonly News[];
  /** Of a Capp: the sites that it is on. */
  readonly sites: readonly string[];
}

export interface NotifierCaches {
  readonly notifications: Cache<Notification>;
  readonly configs: Cache<RcsConfig>;
  readonly capps: Cache<NotedObject>;
  readonly sets: Cache<NotedObject>;
  readonly drains: Cache<NotedObject>;
  readonly clusters: Cache<NotedObject>;
  /** Where the notifier may read Bundles. */
  readonly bundles?: Cache<NotedObject>;
}

/** Stands for all namespaces in the indexes. */
export const EVERYWHERE = '*';

/** Start to fill at once. */
export function notifierCaches(kube: Kube, withBundles: boolean, onProblem: OnProblem): NotifierCaches {
  const watch = cachesOf(kube, onProblem);
  const seen = (resource: Resource, news: (object: KubeObject) => readonly News[]): Cache<NotedObject> =>
    watch<NotedObject>(resource, {
      transform: (object) => reduced(object, news(object)),
      indexes: {
        telling: ({ news: all, metadata }) =>
          all.length === 0 ? [] : [EVERYWHERE, metadata.namespace ?? ''],
        site: ({ sites, metadata }) =>
          sites.flatMap((site) => [siteKey(EVERYWHERE, site), siteKey(metadata.namespace ?? '', site)]),
      },
    });
  return {
    notifications: watch<Notification>(NOTIFICATION, { transform: withoutManagedFields }),
    configs: watch<RcsConfig>(RCS_CONFIG),
    capps: seen(CAPP, (object) => newsOfCapp(object as unknown as Capp)),
    sets: seen(CAPP_SET, (object) => newsOfFleet('CappSet', object)),
    drains: seen(DRAIN, (object) => newsOfDrain(object as unknown as Drain)),
    clusters: seen(MANAGED_CLUSTER, (object) => newsOfSite(object)),
    ...(withBundles ? { bundles: seen(BUNDLE, (object) => newsOfFleet('Bundle', object)) } : {}),
  };
}

export function siteKey(namespace: string, site: string): string {
  return `${namespace}/${site}`;
}

function reduced(object: KubeObject, news: readonly News[]): NotedObject {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  const { status } = object as {
    readonly status?: { readonly sites?: readonly { readonly clusterName?: string }[] };
  };
  const sites = (status?.sites ?? [])
    .map(({ clusterName = '' }) => clusterName)
    .filter((site) => site !== '');
  return { metadata, news, sites };
}
