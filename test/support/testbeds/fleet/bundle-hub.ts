// A hub for activity tests of the rollouts of Bundles: turns as the workflow takes them, and what sites say
// of their works.
import { pluralOf } from '../../../../activities/hub/bundle/manifests/identify.ts';
import { RULE_CONDITION } from '../../../../activities/hub/bundle/ready/ready-rules.ts';
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { BUNDLE_KEY } from '../../../../crds/labels.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import {
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  type Manifest,
  type ManifestWork,
} from '../../../../crds/ocm/ocm.ts';
import { createBundle } from '../../../../testbed/bundles.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { Turned as TurnedOrNot } from '../../../../workflows/fleet/port.ts';
import type { RolloutMemory } from '../../../../workflows/stages/memory.ts';
import { aConfigMap } from '../../builders/fleet/bundles.ts';
import { sayReachable } from '../join/joined-sites.ts';
import { APPS, type HubForTests } from '../hub/hub.ts';
import { turningBundles } from './turning.ts';

const AT = { reason: 'Test', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' };
const NOT_ALLOWED = 'Failed to apply manifest: not allowed to apply the resource  configmaps, apps settings';

type Turned = Extract<TurnedOrNot, { outcome: 'Turned' }>;

export function bundleHub(stage: HubForTests, name: string) {
  const { kube, caches } = stage;
  const ref = { kind: 'Bundle', namespace: APPS, name } as const;
  const { turnFleet } = turningBundles(stage);
  let memory: RolloutMemory | null = null;
  const workKey = (cluster: string) => ({ namespace: cluster, name: bundleWorkName(ref) });
  const work = (cluster: string) => kube.get<ManifestWork>(MANIFEST_WORK, workKey(cluster));
  /** The caches have the works as they are now. */
  const seen = () =>
    eventually(async () => {
      const { items } = await kube.list<ManifestWork>(MANIFEST_WORK, { metadataOnly: true });
      const own = items.filter(({ metadata }) => metadata.name === bundleWorkName(ref));
      const versionsOf = (some: readonly KubeObject[]) =>
        new Set(some.map(({ metadata }) => metadata.resourceVersion));
      const marked = own.filter(({ metadata }) => metadata.labels?.[BUNDLE_KEY] !== undefined);
      const key = `${APPS}/${name}`;
      expect(versionsOf(caches.bundleWorks.by('bundle', key))).toEqual(versionsOf(marked));
      expect(versionsOf(caches.works.by('bundle', key))).toEqual(versionsOf(own));
      return true;
    });
  const report = async (cluster: string, isApplied: boolean): Promise<void> => {
    const live = await work(cluster);
    const about = { ...AT, observedGeneration: live?.metadata.generation ?? 1 };
    const status = isApplied ? 'True' : 'False';
    const conditions = [{ ...about, type: 'Applied', status }];
    const manifests = (live?.spec?.workload.manifests ?? []).map(({ kind, metadata }: Manifest, ordinal) => ({
      resourceMeta: { ordinal, kind, group: '', resource: pluralOf('', kind), version: 'v1', ...metadata },
      conditions: [
        { ...about, type: 'Applied', status, message: isApplied ? '' : NOT_ALLOWED },
        { ...about, type: 'Available', status },
        { ...about, type: RULE_CONDITION, status },
      ],
    }));
    const said = { conditions, resourceStatus: { manifests } };
    await kube.patch(MANIFEST_WORK, workKey(cluster), { status: said }, { subresource: 'status' });
  };
  const hub = {
    make: (spec: object) => createBundle(kube, ref, { manifests: [aConfigMap()], ...spec }),
    edit: (spec: object) => kube.patch<Bundle>(BUNDLE, ref, { spec }),
    annotate: (annotations: object) => kube.patch<Bundle>(BUNDLE, ref, { metadata: { annotations } }),
    work,
    read: async (): Promise<Bundle> => (await kube.get<Bundle>(BUNDLE, ref)) as Bundle,
    condition: async (type: 'Ready' | 'Progressing' | 'Stalled') =>
      (await hub.read()).status?.conditions?.find((one) => one.type === type),
    turn: async (): Promise<Turned & { readonly revision: string }> => {
      const turned = await hub.lastTurns();
      if (turned.outcome !== 'Turned') throw new Error(`the Bundle is ${turned.outcome}`);
      memory = turned.memory;
      return { ...turned, revision: (await hub.read()).status?.revision ?? '' };
    },
    /** Also of a Bundle that is being deleted. */
    lastTurns: async (): Promise<TurnedOrNot> => {
      await seen();
      return turnFleet(ref, { memory, minimumVersions: {}, most: 20, isAgain: false });
    },
    /** As after a loss of Temporal's data. */
    forget: () => void (memory = null),
    apply: async (...clusters: readonly string[]) => {
      for (const cluster of clusters) await report(cluster, true);
    },
    refuse: (cluster: string) => report(cluster, false),
    /** The color that the work on each of these clusters carries; null where there is none. */
    colors: async (...clusters: readonly string[]): Promise<unknown[]> =>
      Promise.all(
        clusters.map(async (cluster) => {
          const [manifest] = (await work(cluster))?.spec?.workload.manifests ?? [];
          return (manifest as { data?: { color?: string } } | undefined)?.data?.color ?? null;
        }),
      ),
    reachable: async (cluster: string, isSo: boolean) => {
      await sayReachable(kube, cluster, isSo ? 'True' : 'Unknown');
      await sameClusters(stage);
    },
  };
  return hub;
}

export async function sameClusters({ kube, caches }: Pick<HubForTests, 'kube' | 'caches'>): Promise<void> {
  await eventually(async () => {
    const { items } = await kube.list(MANAGED_CLUSTER);
    const versions = (all: typeof items) => new Set(all.map(({ metadata }) => metadata.resourceVersion));
    expect(versions([...caches.clusters.list()])).toEqual(versions(items));
    return true;
  });
}
