// A hub in memory with one set on many sites, for flow tests: what the hub worker reads and writes of it, and
// agents that say after a moment that a Capp is Ready.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { travelling } from '../../../../crds/verification/check.ts';
import { keyOf, orderOf } from '../../../../crds/verification/order.ts';
import { judge, type Figures } from '../../../../workflows/types/verification.ts';
import type { CappSet } from '../../../../crds/set/cappset.ts';
import { bySet } from '../../../../crds/set/child.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { aSet } from '../../builders/fleet/sets.ts';
import { hubSites, rewrite, type HubSites } from './hub-sites.ts';
import type { SetParts } from './turning.ts';

export interface SetWorld extends HubSites {
  readonly options: SetParts;
  set: CappSet;
  readonly capps: ReadonlyMap<string, Capp>;
  /** Writes of Capps, and of the set's status. */
  readonly writes: { capps: number; status: number };
  /** The most Capps at once that were written and not Ready. */
  readonly most: () => number;
  edit(spec: object): void;
  /** The Capp as it was, with other metadata; without metadata it is gone. */
  mark(name: string, metadata: object | null): void;
  /** All that is stored, as it is after an upgrade of something else. */
  rewrite(become: <T>(stored: T) => T): void;
}

export interface WorldOptions {
  readonly clusters: readonly string[];
  readonly spec: object;
  /** After so many milliseconds an agent says that a Capp is Ready, or that it has failed. */
  readonly readyAfterMs: number;
  readonly fails?: (capp: Capp) => boolean;
  /** What the agent has counted of each check that the set has made. */
  readonly counted?: (capp: Capp) => readonly Figures[];
  /** Its verdict comes so many milliseconds after it was asked; at once if absent. */
  readonly judgedAfterMs?: number;
  /** Rings the set's workflow. */
  readonly ring: () => void;
}

export function setWorld({
  clusters,
  spec,
  readyAfterMs,
  ring,
  fails,
  counted,
  judgedAfterMs = 0,
}: WorldOptions): SetWorld {
  const capps = new Map<string, Capp>();
  const hub = hubSites(clusters);
  const kept = new Map<string, KubeObject>();
  const writes = { capps: 0, status: 0 };
  let most = 0;
  let version = 1;
  const underWay = new Set<string>();
  const away = new Set<string>();
  const settle = (name: string): void => {
    const capp = capps.get(name);
    underWay.delete(name);
    if (capp === undefined) return;
    const isAway = away.has(capp.spec.site ?? '');
    const ready = fails?.(capp) === true ? failedAt(capp) : isAway ? unseenAt(capp) : readyAt(capp);
    capps.set(name, { ...capp, status: { conditions: [ready] } });
    ring();
  };
  const judged = (name: string): void => {
    const capp = capps.get(name);
    if (capp !== undefined && counted !== undefined)
      capps.set(name, { ...capp, status: judgedAt(capp, counted) });
  };
  const write = (object: Capp): Capp => {
    const before = capps.get(object.metadata.name);
    const generation = (before?.metadata.generation ?? 0) + 1;
    const metadata = {
      ...object.metadata,
      uid: `uid-${object.metadata.name}`,
      generation,
      resourceVersion: `${(version += 1)}`,
    };
    const written = {
      ...object,
      metadata,
      ...(before?.status === undefined ? {} : { status: before.status }),
    };
    capps.set(metadata.name, written);
    writes.capps += 1;
    underWay.add(metadata.name);
    most = Math.max(most, underWay.size);
    setTimeout(() => settle(metadata.name), readyAfterMs);
    return written;
  };
  const kube = {
    within: () => kube,
    get: async ({ kind }: Resource, { name }: { name: string }) =>
      kind === 'CappSet' ? self.set : (kept.get(name) ?? null),
    getMetadata: async ({ kind }: Resource) => (kind === 'CappSet' ? self.set : null),
    list: async ({ kind }: Resource) => ({
      items: kind === 'Capp' ? [...capps.values()] : [...kept.values()],
    }),
    create: async (_kind: Resource, object: KubeObject) => void kept.set(object.metadata.name, object),
    remove: async (_kind: Resource, { name }: { name: string }) => capps.delete(name),
    patch: async (
      { kind }: Resource,
      { name }: { name: string },
      { metadata }: { metadata: Pick<KubeObject['metadata'], 'annotations'> },
    ) => {
      const child = kind === 'Capp' ? capps.get(name) : undefined;
      if (child !== undefined) {
        const annotations = { ...child.metadata.annotations, ...metadata.annotations };
        const asked = { ...child, metadata: { ...child.metadata, annotations } };
        capps.set(name, asked);
        void (judgedAfterMs === 0 ? judged(name) : setTimeout(() => judged(name), judgedAfterMs));
        ring();
        return asked;
      }
      self.set = { ...self.set, metadata: { ...self.set.metadata, ...metadata } };
      return self.set;
    },
    apply: async (_kind: Resource, object: Capp & CappSet, { subresource }: { subresource?: string }) => {
      if (subresource === undefined) return write(object);
      writes.status += 1;
      const status: unknown = JSON.parse(JSON.stringify(object.status ?? {}));
      self.set = { ...self.set, status } as CappSet;
      return self.set;
    },
  };
  const none = { get: () => undefined, list: () => [], by: () => [], caughtUpWith: () => true };
  const config = { spec: { placements: ['all'], placementsNamespace: 'placements', pinning: 'Any' } };
  const caches = {
    capps: {
      ...none,
      get: ({ name }: { name: string }) => capps.get(name),
      by: (_index: string, set: string) => [...capps.values()].filter((capp) => bySet(capp).includes(set)),
    },
    ...hub.caches,
    configs: { ...none, get: () => config },
    drains: none,
    clusterSets: none,
    setBindings: none,
    works: none,
  };
  const self: SetWorld = {
    options: {
      kube,
      caches,
      hubUid: 'hub',
      config: RCS_CONFIG_KEY,
      events: { note: () => undefined },
    } as unknown as SetParts,
    set: born(aSet('many', 'placement' in spec ? spec : { sites: { clusters }, ...spec })),
    capps,
    writes,
    most: () => most,
    edit: (change) => {
      const { metadata, spec: before } = self.set;
      self.set = {
        ...self.set,
        metadata: {
          ...metadata,
          generation: (metadata.generation ?? 1) + 1,
          resourceVersion: `${(version += 1)}`,
        },
        spec: { ...before, ...change },
      };
      ring();
    },
    ...hub.sites,
    reach: (cluster, isReachable) => {
      hub.sites.reach(cluster, isReachable);
      if (away.has(cluster) !== isReachable) return;
      if (isReachable) away.delete(cluster);
      else away.add(cluster);
      for (const [name, { spec: of }] of capps) if (of.site === cluster) settle(name);
    },
    rewrite: (become) => {
      self.set = become(self.set);
      rewrite(capps, become);
      rewrite(kept, become);
    },
    select: (name, selected, number) => {
      hub.sites.select(name, selected, number);
      ring();
    },
    relabel: (cluster, labels) => {
      hub.sites.relabel(cluster, labels);
      ring();
    },
    mark: (name, metadata) => {
      const before =
        capps.get(name) ?? ({ metadata: { namespace: 'apps', name }, spec: {} } as unknown as Capp);
      capps.delete(name);
      if (metadata !== null) capps.set(name, { ...before, metadata: { ...before.metadata, ...metadata } });
    },
  };
  return self;
}

function born(set: CappSet): CappSet {
  return { ...set, metadata: { ...set.metadata, uid: 'set-uid', generation: 1, resourceVersion: '1' } };
}

function failedAt(capp: Capp) {
  return { ...readyAt(capp), status: 'False', reason: 'RolloutFailed', message: 'It crashes.' } as const;
}

/** As the Capp's workflow says it of a site that is lost. */
function unseenAt(capp: Capp) {
  const message = 'The site cannot be reached.';
  return { ...readyAt(capp), status: 'Unknown', reason: 'SiteUnreachable', message } as const;
}

function readyAt({ metadata }: Capp) {
  return {
    type: 'Ready',
    status: 'True',
    reason: 'Serving',
    message: '',
    lastTransitionTime: new Date().toISOString(),
    observedGeneration: metadata.generation ?? 0,
  } as const;
}

/** What the Capp's own workflow publishes of its checks, by its own verdict on what the agent counted. */
function judgedAt(
  { metadata, spec, status }: Capp,
  counted: NonNullable<WorldOptions['counted']>,
): NonNullable<Capp['status']> {
  const order = orderOf(metadata);
  if (order === null) return status ?? {};
  const { site = '' } = spec;
  const asked = { key: keyOf(order), checks: travelling(order.checks) };
  const { key, verdict, says } = judge(asked, site, counted({ metadata, spec } as Capp), Date.now());
  const { generation = 0 } = metadata;
  const at = new Date().toISOString();
  const reason = verdict === 'Passed' ? 'ChecksPassed' : 'ChecksFailed';
  const verified = {
    type: 'Verified',
    status: 'False',
    reason,
    message: says,
    observedGeneration: generation,
  };
  const conditions = [...(status?.conditions ?? []), { ...verified, lastTransitionTime: at }];
  const verification = { key, verdict, at, generation, site, checks: [] };
  return { ...status, conditions, verification } as NonNullable<Capp['status']>;
}
