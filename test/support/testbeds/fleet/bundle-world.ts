// A hub in memory with one Bundle on many sites, for unit tests of whole turns: works are what the turns make
// of them, and each site says that it has applied its own.
import { pluralOf } from '../../../../activities/hub/bundle/manifests/identify.ts';
import { RULE_CONDITION } from '../../../../activities/hub/bundle/ready/ready-rules.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { AVAILABLE, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { Key, KubeObject, Resource } from '../../../../kube/resource.ts';
import type { Turned } from '../../../../workflows/fleet/port.ts';
import type { RolloutMemory } from '../../../../workflows/stages/memory.ts';
import { aBundle } from '../../builders/fleet/bundles.ts';
import { aCluster } from '../../builders/fleet/sets.ts';
import { turningBundles } from './turning.ts';

export interface BundleWorld {
  bundle: Bundle;
  readonly works: ReadonlyMap<string, ManifestWork>;
  /** What the API server answers to writes of the work on a site; it writes them where this says nothing. */
  readonly codes: Record<string, number>;
  /** Sites whose works the last turn tried to write, in order. */
  readonly tries: readonly string[];
  /** Namespaces that may use the work agent's own rights. */
  readonly unrestricted: string[];
  /** Notes of the events on the Bundle, each once. */
  readonly notes: ReadonlyMap<string, string>;
  /** Another generation of the Bundle, with these fields of its spec. */
  edit(change: object): void;
  /** One turn, with what the one before it remembers. */
  turn(): Promise<Extract<Turned, { outcome: 'Turned' }>>;
  /** The work agent of a site has applied its work. */
  apply(cluster: string): void;
  /** It could not apply any object, with these words. */
  refuse(cluster: string, message: string): void;
}

/** `spec` without sites. */
export function bundleWorld(clusters: readonly string[], spec: object = {}): BundleWorld {
  const works = new Map<string, ManifestWork>();
  const kept = new Map<string, KubeObject>();
  const codes: Record<string, number> = {};
  const tries: string[] = [];
  const notes = new Map<string, string>();
  const unrestricted = ['apps'];
  let version = 1;
  let memory: RolloutMemory | null = null;
  const attempt = (method: string, cluster: string): void => {
    tries.push(cluster);
    const code = codes[cluster];
    if (code !== undefined) throw new ApiError({ method, path: `/works/${cluster}`, code, reason: 'Why' });
  };
  const write = (cluster: string, work: ManifestWork): ManifestWork => {
    const generation = (works.get(cluster)?.metadata.generation ?? 0) + 1;
    const metadata = { ...work.metadata, uid: `uid-${cluster}`, generation };
    const written = { ...work, metadata: { ...metadata, resourceVersion: String((version += 1)) } };
    works.set(cluster, written);
    return written;
  };
  const self: BundleWorld = {
    bundle: aBundle({ sites: { clusters }, ...spec }, { resourceVersion: '1' }),
    works,
    codes,
    tries,
    notes,
    unrestricted,
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
      return kind === 'ManifestWork' ? (works.get(namespace ?? '') ?? null) : (kept.get(name) ?? null);
    },
    getMetadata: async ({ kind }: Resource) => (kind === 'Bundle' ? self.bundle : null),
    list: async () => ({ items: [...kept.values()] }),
    create: async ({ kind }: Resource, object: ManifestWork) => {
      if (kind === 'Event')
        return void notes.set(object.metadata.name, (object as { note?: string }).note ?? '');
      if (kind !== 'ManifestWork') return void kept.set(object.metadata.name, object);
      const { namespace: cluster = '' } = object.metadata;
      attempt('POST', cluster);
      return write(cluster, object);
    },
    patch: async ({ kind }: Resource, { namespace }: Key, patch: ManifestWork) => {
      const before = kind === 'Bundle' ? self.bundle : works.get(namespace ?? '');
      const metadata = { ...before?.metadata, ...patch.metadata };
      if (kind === 'Bundle') return (self.bundle = { ...self.bundle, metadata });
      attempt('PATCH', namespace ?? '');
      const spec = { ...works.get(namespace ?? '')?.spec, ...patch.spec };
      return write(namespace ?? '', { ...before, ...patch, metadata, spec } as ManifestWork);
    },
    remove: async (_kind: Resource, { namespace }: Key) => {
      attempt('DELETE', namespace ?? '');
      return works.delete(namespace ?? '');
    },
    apply: async (_kind: Resource, { status }: Bundle) =>
      (self.bundle = { ...self.bundle, ...(status === undefined ? {} : { status }) }),
  };
  const parts = {
    kube,
    caches: cachesOf(clusters, works, unrestricted),
    events: { note: () => undefined },
  } as unknown as Parameters<typeof turningBundles>[0];
  return self;
}

function cachesOf(
  clusters: readonly string[],
  works: ReadonlyMap<string, ManifestWork>,
  unrestricted: readonly string[],
): object {
  const none = { get: () => undefined, list: () => [], by: () => [], caughtUpWith: () => true };
  const sites = new Map(
    clusters.map((name) => [
      name,
      { ...aCluster(name), status: { conditions: [{ type: AVAILABLE, status: 'True' }] } },
    ]),
  );
  return {
    clusters: { ...none, get: ({ name }: Key) => sites.get(name) },
    configs: { ...none, get: () => ({ spec: { placements: [], bundles: { unrestricted } } }) },
    placements: none,
    decisions: none,
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
    works: none,
  };
}

function appliedOf({ metadata, spec }: ManifestWork): NonNullable<ManifestWork['status']> {
  const about = { status: 'True' as const, observedGeneration: metadata.generation ?? 1 };
  const manifests = (spec?.workload.manifests ?? []).map(({ kind, metadata: of }, ordinal) => ({
    resourceMeta: { ordinal, kind, group: '', version: 'v1', resource: pluralOf('', kind), ...of },
    conditions: [
      { ...about, type: 'Applied' },
      { ...about, type: 'Available' },
      { ...about, type: RULE_CONDITION },
    ],
  }));
  return { conditions: [{ ...about, type: 'Applied' }], resourceStatus: { manifests } };
}

/** The work agent names the present generation of the work also when it fails. */
function refusedIn({ status }: ManifestWork, message: string): NonNullable<ManifestWork['status']> {
  const refused = { status: 'False' as const, message, reason: 'AppliedManifestFailed' };
  const fails = <T extends { readonly type: string }>(all: readonly T[]) =>
    all.map((one) => (one.type === 'Applied' ? { ...one, ...refused } : one));
  const manifests = (status?.resourceStatus?.manifests ?? []).map((one) => ({
    ...one,
    conditions: fails(one.conditions ?? []),
  }));
  return { conditions: fails(status?.conditions ?? []), resourceStatus: { manifests } };
}
