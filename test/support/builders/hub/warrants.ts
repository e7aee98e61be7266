// What a hub's caches say of two clusters, of its RCSConfig and of its placements, and a Capp of which the
// hub asks where it may be.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { RcsConfig } from '../../../../crds/hub/rcs-config.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { PlacementDecision } from '../../../../crds/ocm/placements.ts';
import type { WarrantOptions } from '../../../../activities/hub/place/warrant.ts';
import { capp } from '../../../../testbed/capps.ts';

const KEY = { namespace: 'system', name: 'config' };
export const CONFIG = { placements: ['first', 'second'], placementsNamespace: 'placements', pinning: 'Any' };

export interface WarrantFacts {
  /** Cluster → labels. */
  readonly clusters?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly config?: object | null;
  /** Placement → clusters. */
  readonly decided?: Readonly<Record<string, readonly string[]>>;
  readonly hub?: string;
}

export function optionsFrom({
  clusters = { a: {}, b: {} },
  config = CONFIG,
  decided = {},
  hub = '',
}: WarrantFacts = {}): WarrantOptions {
  const none = { get: () => undefined, by: () => [], list: () => [] };
  const clusterOf = (name: string): ManagedCluster | undefined =>
    clusters[name] === undefined
      ? undefined
      : {
          metadata: { name, labels: clusters[name] },
          status: name === hub ? { clusterClaims: [{ name: 'id.k8s.io', value: 'hub-uid' }] } : {},
        };
  const pagesOf = (placement: string): PlacementDecision[] =>
    (decided[placement] ?? []).map((clusterName, page) => ({
      metadata: { namespace: 'placements', name: `${placement}-${page}` },
      status: { decisions: [{ clusterName, reason: '' }] },
    }));
  const caches = {
    capps: none,
    placements: none,
    setBindings: none,
    clusterSets: none,
    configs: {
      ...none,
      get: () => (config === null ? undefined : ({ metadata: KEY, spec: config } as RcsConfig)),
    },
    clusters: { ...none, get: ({ name }: { name: string }) => clusterOf(name) },
    decisions: { ...none, by: (_index: string, value: string) => pagesOf(value) },
  } as unknown as WarrantOptions['caches'];
  return { caches, hubUid: 'hub-uid', config: KEY };
}

export const aCapp = (
  spec: Readonly<Record<string, unknown>> = {},
  annotations: Record<string, string> = {},
  status: object = {},
): Capp => {
  const made = capp({ namespace: 'apps', name: 'app', spec });
  return { ...made, metadata: { ...made.metadata, annotations }, status };
};
export const DECIDED_B = { decided: { 'placements/first': ['a'], 'placements/second': ['b'] } };
