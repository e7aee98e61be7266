// The choice of a site with caches that a test fills: two sites in the decisions, with equal scores.
import { hubChoose } from '../../../activities/hub/place/choose.ts';
import type { HubCaches } from '../../../activities/hub/caches.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { PLACEMENT_LABEL } from '../../../crds/ocm/placements.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Key } from '../../../kube/resource.ts';
import type { Choice, ChoiceAsk } from '../../../workflows/ports/choice.ts';
import { CAPP } from './states.ts';

export const ASK: ChoiceAsk = { minimumVersions: {}, present: null, avoid: {}, works: [], history: null };

/** What the caches show when a Capp asks for a site. */
export interface Hub {
  readonly migration?: object;
  readonly status?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Works; each is named `mw-create-apps-app` unless it has another name. */
  readonly works?: readonly {
    readonly cluster: string;
    readonly leaving?: boolean;
    /** The API server no longer has it, and the cache has not heard so. */
    readonly gone?: boolean;
    readonly name?: string;
    readonly labels?: Readonly<Record<string, string>>;
  }[];
  /** Another name of the Capp. */
  readonly name?: string;
  /** Statuses of other Capps whose works have the same usual name. */
  readonly rivals?: readonly object[];
  /** The clusters in the placement's decisions. */
  readonly decided?: readonly string[];
  /** Unreachable clusters. */
  readonly lost?: readonly string[];
  readonly drains?: readonly Drain[];
}

function aCapp({ migration = {}, status = {}, annotations = {}, name = CAPP.name }: Hub): Capp {
  const { namespace, uid } = CAPP;
  const spec = { configurationSpec: { template: { spec: { containers: [] } } }, migration };
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'Capp',
    metadata: { namespace, name, uid, annotations },
    spec,
    status,
  } as never;
}

function aCluster(name: string, isLost: boolean): ManagedCluster {
  const conditions = [{ type: 'ManagedClusterConditionAvailable', status: isLost ? 'Unknown' : 'True' }];
  return {
    apiVersion: '',
    kind: 'ManagedCluster',
    metadata: { name },
    spec: { hubAcceptsClient: true },
    status: { conditions },
  } as never;
}

function worksOf({ works = [] }: Hub): KubeObject[] {
  return works.map(({ cluster, leaving, name = 'mw-create-apps-app', labels = {} }): KubeObject => {
    const deleted = leaving === true ? { deletionTimestamp: 'now' } : {};
    return {
      apiVersion: '',
      kind: 'ManifestWork',
      metadata: { namespace: cluster, name, labels, ...deleted },
    };
  });
}

/** Reads the works live. */
export function kubeOf(hub: Hub = {}): Pick<Kube, 'within'> {
  const there = worksOf({ ...hub, works: (hub.works ?? []).filter(({ gone }) => gone !== true) });
  const isNamed = ({ metadata }: KubeObject, key: Key): boolean =>
    metadata.namespace === key.namespace && metadata.name === key.name;
  const get: Kube['get'] = (_kind, key) =>
    Promise.resolve((there.find((one) => isNamed(one, key)) ?? null) as never);
  return { within: () => ({ get }) as never };
}

/** Two sites in the decisions, with equal scores. */
export function cachesOf(hub: Hub): HubCaches {
  const works = worksOf(hub);
  const decision = {
    metadata: { labels: { [PLACEMENT_LABEL]: 'all' } },
    status: { decisions: (hub.decided ?? ['site-1', 'site-2']).map((clusterName) => ({ clusterName })) },
  };
  const rivals = (hub.rivals ?? []).map((status) => ({
    metadata: { namespace: 'apps-a', name: 'b' },
    status,
  }));
  const byIndex = (index: string, key: string) =>
    works.filter(({ metadata }) => (index === 'name' ? metadata.name : metadata.namespace) === key);
  return {
    capps: { get: () => aCapp(hub), by: () => rivals },
    configs: { get: () => ({ spec: { placements: ['all'], placementsNamespace: 'placements' } }) },
    placements: {
      get: () => ({ metadata: {}, status: { numberOfSelectedClusters: decision.status.decisions.length } }),
    },
    decisions: { by: () => [decision] },
    clusterSets: { list: () => [] },
    setBindings: { list: () => [] },
    clusters: {
      list: () => ['site-1', 'site-2'].map((name) => aCluster(name, hub.lost?.includes(name) === true)),
    },
    drains: { get: ({ name }: { name: string }) => hub.drains?.find((one) => one.metadata.name === name) },
    scores: { by: () => [], get: () => undefined, list: () => [] },
    works: { by: byIndex, count: (index: string, key: string) => byIndex(index, key).length },
  } as never;
}

/** Asks for a site for a Capp with the key of `CAPP`. */
export function chooser(hub: Hub = {}): (ask?: Partial<ChoiceAsk>) => Promise<Choice> {
  const kube = kubeOf(hub);
  const { choose } = hubChoose({ kube, caches: cachesOf(hub), hubUid: 'hub', config: RCS_CONFIG_KEY });
  return (ask = {}) => choose({ ...CAPP, name: hub.name ?? CAPP.name }, { ...ASK, ...ask });
}
