// A hub in memory with one Bundle on many sites, for unit tests of whole turns: works are what the turns make
// of them, and each site says that it has applied its own.
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import type { RcsConfigSpec } from '../../../../crds/hub/rcs-config.ts';
import { isCheckWorkName } from '../../../../crds/ocm/check-work.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { Key, KubeObject, Resource } from '../../../../kube/resource.ts';
import type { Turned } from '../../../../workflows/fleet/port.ts';
import type { RolloutMemory } from '../../../../workflows/stages/memory.ts';
import { aBundle } from '../../builders/fleet/bundles.ts';
import { hubSites, rewrite, type HubSites } from './hub-sites.ts';
import { turningBundles } from './turning.ts';
import { appliedOf, refusedIn, unreadyIn } from './work-reports.ts';

export interface BundleWorld extends HubSites {
  bundle: Bundle;
  readonly works: ReadonlyMap<string, ManifestWork>;
  /** Works with the Jobs that check it. */
  readonly checks: ReadonlyMap<string, ManifestWork>;
  /**
   * What the API server answers to writes of the work on a site, or of its Jobs as `checks/<site>`; it writes
   * them where this says nothing.
   */
  readonly codes: Record<string, number>;
  /** Sites whose works the last turn tried to write, in order. */
  readonly tries: readonly string[];
  /** What happens once, after the next turn has looked and before it reads a work with Jobs. */
  meanwhile?: () => void;
  /** Namespaces that may use the work agent's own rights. */
  readonly unrestricted: string[];
  /** What the RCSConfig says of Secrets. */
  secrets: RcsConfigSpec['secrets'];
  /** Notes of the events on the Bundle, each once. */
  readonly notes: ReadonlyMap<string, string>;
  /** Another generation of the Bundle, with these fields of its spec. */
  edit(change: object): void;
  /** What people ask, in place of what they asked before. */
  annotate(annotations: Readonly<Record<string, string>>): void;
  /** One turn, with what the one before it remembers. */
  turn(): Promise<Extract<Turned, { outcome: 'Turned' }>>;
  /** The work agent of a site has applied its work. */
  apply(cluster: string): void;
  /** The Jobs on a site say this of themselves; without words, that all of them are Complete. */
  jobsSay(cluster: string, words?: string): void;
  /** Somebody deletes its work, which the site does not hear of. */
  leave(cluster: string): void;
  /** All that is stored, as it is after an upgrade of something else, and no turn remembers anything. */
  rewrite(become: <T>(stored: T) => T): void;
  /** It could not apply any object, with these words. */
  refuse(cluster: string, message: string): void;
}

/** `spec` without sites. */
export function bundleWorld(clusters: readonly string[], spec: object = {}): BundleWorld {
  const hub = hubSites(clusters);
  const works = new Map<string, ManifestWork>();
  const checks = new Map<string, ManifestWork>();
  const storeOf = (name: string) => (isCheckWorkName(name) ? checks : works);
  const kept = new Map<string, KubeObject>();
  const codes: Record<string, number> = {};
  const tries: string[] = [];
  const notes = new Map<string, string>();
  const unrestricted = ['apps'];
  let version = 1;
  let memory: RolloutMemory | null = null;
  const attempt = (method: string, cluster: string, name: string): void => {
    tries.push(cluster);
    const code = codes[isCheckWorkName(name) ? `checks/${cluster}` : cluster];
    if (code !== undefined) throw new ApiError({ method, path: `/works/${cluster}`, code, reason: 'Why' });
  };
  const write = (cluster: string, work: ManifestWork, isNewSpec = true): ManifestWork => {
    const store = storeOf(work.metadata.name);
    const generation = (store.get(cluster)?.metadata.generation ?? 0) + (isNewSpec ? 1 : 0);
    const metadata = { ...work.metadata, uid: `uid-${work.metadata.name}-${cluster}`, generation };
    const written = { ...work, metadata: { ...metadata, resourceVersion: String((version += 1)) } };
    store.set(cluster, written);
    return written;
  };
  const self: BundleWorld = {
    ...hub.sites,
    rewrite: (become) => {
      self.bundle = become(self.bundle);
      memory = null;
      for (const [cluster, work] of works) works.set(cluster, become(work));
      rewrite(kept, become);
    },
    bundle: bornOn(clusters, spec),
    works,
    checks,
    codes,
    tries,
    notes,
    unrestricted,
    secrets: {},
    edit: (change) => {
      const { metadata, spec } = self.bundle;
      const generation = (metadata.generation ?? 1) + 1;
      const resourceVersion = String((version += 1));
      self.bundle = {
        ...self.bundle,
        metadata: { ...metadata, generation, resourceVersion },
        spec: { ...spec, ...change },
      };
    },
    annotate: (annotations) => {
      const { bundle } = self;
      self.bundle = { ...bundle, metadata: { ...bundle.metadata, annotations } };
    },
    turn: async () => {
      tries.length = 0;
      const ref = { kind: 'Bundle', namespace: 'apps', name: self.bundle.metadata.name } as const;
      const ask = { memory, minimumVersions: {}, most: 100, isAgain: false };
      const turned = await turningBundles(parts).turnFleet(ref, ask);
      if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
      memory = turned.memory;
      return turned;
    },
    apply: (cluster) => {
      const work = works.get(cluster);
      if (work !== undefined) works.set(cluster, { ...work, status: appliedOf(work) });
    },
    jobsSay: (cluster, words) => {
      const work = checks.get(cluster);
      if (work === undefined) throw new Error(`no Job is on ${cluster}`);
      const status = appliedOf(work);
      checks.set(cluster, { ...work, status: words === undefined ? status : unreadyIn(status, words) });
    },
    leave: (cluster) => {
      const work = works.get(cluster);
      const deletionTimestamp = new Date().toISOString();
      if (work !== undefined)
        works.set(cluster, { ...work, metadata: { ...work.metadata, deletionTimestamp } });
    },
    refuse: (cluster, message) => {
      self.apply(cluster);
      const work = works.get(cluster);
      if (work !== undefined) works.set(cluster, { ...work, status: refusedIn(work, message) });
    },
  };
  const kube = {
    within: () => kube,
    get: async ({ kind }: Resource, { namespace, name }: Key) => {
      if (kind === 'Bundle') return self.bundle;
      if (isCheckWorkName(name)) {
        self.meanwhile?.();
        delete self.meanwhile;
      }
      const found = kind === 'ManifestWork' ? storeOf(name).get(namespace ?? '') : kept.get(name);
      return found ?? null;
    },
    getMetadata: async ({ kind }: Resource) => (kind === 'Bundle' ? self.bundle : null),
    list: async () => ({ items: [...kept.values()] }),
    create: async ({ kind }: Resource, object: ManifestWork) => {
      if (kind === 'Event')
        return void notes.set(object.metadata.name, (object as { note?: string }).note ?? '');
      if (kind !== 'ManifestWork') return void kept.set(object.metadata.name, object);
      const { namespace: cluster = '' } = object.metadata;
      attempt('POST', cluster, object.metadata.name);
      return write(cluster, object);
    },
    patch: async ({ kind }: Resource, { namespace, name }: Key, patch: ManifestWork) => {
      const before = kind === 'Bundle' ? self.bundle : storeOf(name).get(namespace ?? '');
      const annotations = { ...before?.metadata.annotations, ...patch.metadata.annotations };
      const metadata = { ...before?.metadata, ...patch.metadata, annotations };
      if (kind === 'Bundle') return (self.bundle = { ...self.bundle, metadata });
      attempt('PATCH', namespace ?? '', name);
      const spec = { ...storeOf(name).get(namespace ?? '')?.spec, ...patch.spec };
      const written = { ...before, ...patch, metadata, spec } as ManifestWork;
      return write(namespace ?? '', written, patch.spec !== undefined);
    },
    remove: async (_kind: Resource, { namespace, name }: Key) => {
      attempt('DELETE', namespace ?? '', name);
      return storeOf(name).delete(namespace ?? '');
    },
    apply: async (_kind: Resource, { status }: Bundle) =>
      (self.bundle = { ...self.bundle, ...(status === undefined ? {} : { status }) }),
  };
  const parts = {
    kube,
    caches: cachesOf(hub.caches, self),
    events: { note: () => undefined },
  } as unknown as Parameters<typeof turningBundles>[0];
  return self;
}

/** `spec` may have a Placement in place of the sites. */
function bornOn(clusters: readonly string[], spec: object): Bundle {
  const { spec: made, ...rest } = aBundle({ sites: { clusters }, ...spec }, { resourceVersion: '1' });
  const { sites: _named, ...placed } = made;
  return { ...rest, spec: 'placement' in spec ? placed : made };
}

function cachesOf(
  hub: object,
  world: Pick<BundleWorld, 'works' | 'checks' | 'unrestricted' | 'secrets'>,
): object {
  const { works, checks, unrestricted } = world;
  const none = { get: () => undefined, list: () => [], by: () => [], caughtUpWith: () => true };
  return {
    ...hub,
    configs: {
      ...none,
      get: () => ({ spec: { placements: [], bundles: { unrestricted }, secrets: world.secrets } }),
    },
    setBindings: none,
    clusterSets: none,
    bundleWorks: {
      ...none,
      by: () => [...works.values()].map((work) => seenWork(work as never)),
      get: ({ namespace }: Key) => {
        const work = works.get(namespace ?? '');
        return work === undefined ? undefined : seenWork(work as never);
      },
    },
    checkWorks: {
      ...none,
      followsSince: () => 0,
      by: () => [...checks.values()].map((work) => seenWork(work as never)),
      get: ({ namespace }: Key) => {
        const work = checks.get(namespace ?? '');
        return work === undefined ? undefined : seenWork(work as never);
      },
    },
    works: { ...none, by: (index: string) => [...(index === 'checks' ? checks : works).values()] },
  };
}
