// For which Capps a change of what decides about sites rings, with caches that a test fills.
import { openingsOf } from '../../../bridge/changes/openings.ts';
import { listenToPlacing } from '../../../bridge/changes/placing.ts';
import type { BridgeWatched } from '../../../bridge/changes/watched.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { AVAILABLE, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { PLACEMENT_LABEL, type PlacementDecision } from '../../../crds/ocm/placements.ts';
import { DrainSpec, type Drain } from '../../../crds/drain/drain.ts';
import type { RcsConfig } from '../../../crds/hub/rcs-config.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { aCapp } from './capps.ts';
import { byNames, ownWork } from './works.ts';

export function onSite(name: string, site: string | null, spec: Record<string, unknown> = {}): Capp {
  const capp = aCapp({ name, spec });
  return { ...capp, status: site === null ? {} : { applicationLinks: { site } } };
}

export function aConfig(placements: string[], rest: Partial<RcsConfig['spec']> = {}): RcsConfig {
  const spec = { placements, placementsNamespace: 'placements', invalidHostnamePatterns: [], ...rest };
  return {
    apiVersion: '',
    kind: '',
    metadata: { namespace: 'rcs-deployer-system', name: 'rcs-config', resourceVersion: '9' },
    spec,
  };
}

export function decided(placement: string, clusters: string[], namespace = 'placements'): PlacementDecision {
  const metadata = {
    name: `${placement}-1`,
    namespace,
    resourceVersion: '9',
    labels: { [PLACEMENT_LABEL]: placement },
  };
  return { metadata, status: { decisions: clusters.map((clusterName) => ({ clusterName })) } };
}

export function aCluster(name: string, available: 'True' | 'Unknown' = 'True'): ManagedCluster {
  const status = { conditions: [{ type: AVAILABLE, status: available }] };
  return { metadata: { name, resourceVersion: '9' }, spec: { hubAcceptsClient: true, taints: [] }, status };
}

export function workOn(cluster: string, name: string): KubeObject {
  return ownWork({ name }, { namespace: cluster });
}

/** What the caches show beside the change. */
export interface Facts {
  readonly capps: readonly Capp[];
  readonly configs?: readonly RcsConfig[];
  readonly decisions?: readonly PlacementDecision[];
  readonly works?: readonly KubeObject[];
  readonly clusters?: readonly ManagedCluster[];
}

/** The minimum resource versions with which the last change rang: `<kind> <version>`. */
let versions: string[] = [];
export const versionsRung = (): ReadonlySet<string> => new Set(versions);

/** The Capps for which a change of an object rings. */
export function rung(
  facts: Facts,
  kind: 'configs' | 'decisions' | 'clusters' | 'drains' | 'placements',
  change: { before?: object | null; after: object; type?: string },
): string[] {
  const listeners: [string, (change: unknown) => void][] = [];
  const clusters = facts.clusters ?? ['site-1', 'site-2', 'site-3'].map((name) => aCluster(name));
  const cacheOf = (name: string, objects: readonly KubeObject[]) => ({
    ...byNames(objects),
    get: (key: { name: string }) => objects.find(({ metadata }) => metadata.name === key.name),
    subscribe: (listener: (change: unknown) => void) => {
      listeners.push([name, listener]);
      return () => undefined;
    },
  });
  const watched = {
    capps: cacheOf('capps', facts.capps),
    configs: cacheOf('configs', facts.configs ?? [aConfig(['all'])]),
    decisions: cacheOf('decisions', facts.decisions ?? [decided('all', ['site-1', 'site-2'])]),
    placements: cacheOf('placements', []),
    drains: cacheOf('drains', []),
    clusterSets: cacheOf('clusterSets', []),
    setBindings: cacheOf('setBindings', []),
    clusters: cacheOf('clusters', clusters),
    works: cacheOf('works', facts.works ?? []),
  };
  const calls: string[] = [];
  versions = [];
  listenToPlacing(
    watched as unknown as BridgeWatched,
    (key, cause, changed, kind) => {
      calls.push(`${key} ${cause}`);
      versions.push(`${kind} ${changed?.metadata.resourceVersion}`);
    },
    openingsOf(watched as unknown as BridgeWatched),
  );
  const { before = null, after, type = before === null ? 'Added' : 'Modified' } = change;
  for (const [name, listener] of listeners)
    if (name === kind) listener({ type, object: after, previous: before, initial: false });
  return calls.map((call) => call.replace(/^apps\/(.*) decision$/, '$1'));
}

export function aDrainOf(site: string, spec: object = {}, metadata: object = {}): Drain {
  return {
    apiVersion: '',
    kind: 'Drain',
    metadata: { name: site, resourceVersion: '9', ...metadata },
    spec: DrainSpec.parse(spec),
  };
}
