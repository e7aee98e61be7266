// What the hub shows, kept fresh by one watch for each kind that the person may read. All pages share them.
import { HUB_STATUS_NAME } from '../../../crds/hub/hub-status.ts';
import { isForbidden, isNotFound } from '../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { cache, type Cache, type CacheOptions } from '../../../kube/watch/cache.ts';
import { agentsIn } from '../../explain/sites.ts';
import { isAllowed } from '../../hub/write/allowed.ts';
import type { ConnectedHub } from '../../hub/connection/hub.ts';
import type { DashboardFacts } from '../view/facts.ts';
import { KINDS, type WatchedKinds } from './kinds.ts';
import { goneOf, type Gone } from './gone.ts';
import type { Rights } from './rights.ts';

export interface Watches {
  facts(): DashboardFacts;
  /** Null: of all namespaces; a namespace: of this one alone, because the person may not list all. */
  readonly scope: string | null;
  /** Kinds whose first list has not come yet. */
  loading(): readonly string[];
  /** Since when what a watch shows may be old, milliseconds since the epoch; null while all run. */
  brokenSince(): number | null;
  readonly gone: Gone;
  onChange(listener: () => void): () => void;
  stop(): Promise<void>;
}

type Caches = { readonly [K in keyof WatchedKinds]: Cache<WatchedKinds[K] & KubeObject> | null };

/** Throws ApiError when the API server does not answer what the person may read. */
export async function watchHub(hub: ConnectedHub, rights: Rights): Promise<Watches> {
  const scopes = await scopesOf(hub);
  const listeners = new Set<() => void>();
  const tell = (): void => listeners.forEach((listener) => listener());
  const gone = goneOf();
  const begin = <K extends keyof WatchedKinds>(kind: K): Cache<WatchedKinds[K] & KubeObject> | null => {
    const scope = scopes[kind];
    if (scope === 'none') return null;
    const options: CacheOptions<WatchedKinds[K] & KubeObject> = KINDS[kind];
    const watched = cache(hub.kube, scope === 'all' ? options : { ...options, namespace: hub.namespace });
    watched.subscribe((change) => {
      gone.heed(options.resource.kind, change);
      tell();
    });
    watched.onProblemChanged(tell);
    void watched.synced.then(tell, () => undefined);
    return watched;
  };
  const caches: Caches = {
    clusters: begin('clusters'),
    addOns: begin('addOns'),
    scores: begin('scores'),
    hubStatus: begin('hubStatus'),
    capps: begin('capps'),
    sets: begin('sets'),
    bundles: begin('bundles'),
    drains: begin('drains'),
  };
  rights.onChange(tell);
  const all = Object.entries(caches) as [keyof WatchedKinds, Cache<KubeObject> | null][];
  const broken = brokenIn(all.flatMap(([, one]) => one ?? []));
  return {
    facts: () => factsOf(caches, rights),
    scope: scopes.capps === 'all' ? null : hub.namespace,
    loading: () =>
      all
        .filter(([, one]) => one !== null && one.resourceVersion() === '' && !isAbsent(one))
        .map(([kind]) => KINDS[kind].resource.plural),
    brokenSince: broken,
    gone,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: async () => void (await Promise.all(all.map(async ([, one]) => one?.stop()))),
  };
}

type Scope = 'all' | 'namespace' | 'none';

async function scopesOf(hub: ConnectedHub): Promise<Record<keyof WatchedKinds, Scope>> {
  const found = await Promise.all(
    Object.entries(KINDS).map(async ([kind, { resource }]) => [kind, await scopeOf(hub, resource)] as const),
  );
  return Object.fromEntries(found) as Record<keyof WatchedKinds, Scope>;
}

async function scopeOf(
  { kube, namespace }: ConnectedHub,
  { apiVersion, plural, namespaced }: Resource,
): Promise<Scope> {
  const [group = ''] = apiVersion.split('/');
  const mayIn = async (where: string | null): Promise<boolean> => {
    const asked = ['list', 'watch'].map((verb) =>
      isAllowed(kube, { verb, group, resource: plural, namespace: where }),
    );
    return (await Promise.all(asked)).every(Boolean);
  };
  if (await mayIn(null)) return 'all';
  return namespaced && (await mayIn(namespace)) ? 'namespace' : 'none';
}

/** The API server does not serve the kind, or does not let the person read it any more. */
function isAbsent(watched: Cache<KubeObject>): boolean {
  const problem = watched.problem();
  return isNotFound(problem) || isForbidden(problem);
}

/** Remembers when the first of them broke. */
function brokenIn(all: readonly Cache<KubeObject>[]): () => number | null {
  let since: number | null = null;
  const look = (): number | null => {
    const isBroken = all.some((one) => one.problem() !== null && !isAbsent(one));
    since = isBroken ? (since ?? Date.now()) : null;
    return since;
  };
  for (const one of all) one.onProblemChanged(() => void look());
  return look;
}

function factsOf(caches: Caches, { may }: Rights): DashboardFacts {
  const isUnread = (one: Cache<KubeObject> | null): boolean => one === null || isForbidden(one.problem());
  const unread = (Object.keys(KINDS) as (keyof WatchedKinds)[]).filter((kind) => isUnread(caches[kind]));
  const status = caches.hubStatus?.get({ namespace: null, name: HUB_STATUS_NAME })?.status;
  return {
    clusters: listOf(caches.clusters),
    addOns: listOf(caches.addOns),
    scores: listOf(caches.scores),
    agents: agentsIn(status ?? {}),
    capps: listOf(caches.capps),
    sets: listOf(caches.sets),
    bundles: listOf(caches.bundles),
    drains: listOf(caches.drains),
    hidesSites: isUnread(caches.clusters),
    unread: unread.map((kind) => KINDS[kind].resource.plural),
    may,
    now: Date.now(),
  };
}

function listOf<T extends KubeObject>(watched: Cache<T> | null): T[] {
  return watched?.list() ?? [];
}
