// The worst that fits: an inventory of a site that lies, and a Bundle whose plan has most to look at.
import type { SelectRules } from '../../../../activities/hub/bundle/sites.ts';
import type { PreviewedBundle } from '../../../../activities/hub/bundle/preview.ts';
import { MOST_MANIFESTS, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { patternOf } from '../../../../crds/bundle/bundle-revision.ts';
import { AVAILABLE } from '../../../../crds/ocm/ocm.ts';
import { PLACEMENT_LABEL } from '../../../../crds/ocm/placements.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { listed } from '../../../../kube/watch/listed.ts';
import type { InventoryEntry } from '../../../../workflows/types/ring.ts';
import { aBundle, aConfigMap } from './bundles.ts';
import { aCapp } from '../capps.ts';
import { aCluster, aSet } from './sets.ts';
import type { SelectOptions } from '../../../../activities/hub/set/selected.ts';
import type { PreviewedSet } from '../../../../activities/hub/set/preview.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { SET_REVISION } from '../../../../crds/labels.ts';
import { writtenAs } from '../../../../crds/written.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import { revisionOf, type RevisionContent } from '../../../../crds/set/render.ts';

/** Names as long as they may be, all with the same beginning. */
export function worstEntries(count: number): InventoryEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    namespace: 'n'.repeat(63),
    name: `${'a'.repeat(56)}-${String(index).padStart(6, '0')}`,
    uid: 'u'.repeat(36),
    stamp: `${'u'.repeat(36)}/1/${'f'.repeat(20)}/one`,
    statusHash: 'f'.repeat(20),
  }));
}

/** As many manifests as may be, of about so many bytes each. */
export function worstManifests(bytes: number, color: string) {
  return Array.from({ length: MOST_MANIFESTS }, (_, index) =>
    aConfigMap({ [`k${index}`]: color + 'x'.repeat(bytes) }, `c-${index}`),
  );
}

export interface WorstPlan {
  readonly rules: SelectRules;
  readonly asked: PreviewedBundle;
}

/**
 * A Bundle on so many sites of a Placement, in as many stages as may be, with ten revisions that are kept and
 * on the sites, and a change of every manifest.
 */
export function worstPlan(sites: number, bytes = 700): WorstPlan {
  const clusters = Array.from({ length: sites }, (_, index) => `site-${index}`);
  const bundle = (color: string) => bundleOf(worstManifests(bytes, color));
  const revisions = Array.from({ length: 10 }, (_, index) => String(index).repeat(32));
  const status = statusOf(clusters, revisions);
  return {
    rules: rulesOf(clusters),
    asked: {
      bundle: { ...bundle('blue'), status },
      before: { ...bundle('red'), status },
      patterns: new Map(revisions.map((revision, index) => [revision, patternOf(bundle(`c${index}`).spec)])),
    },
  };
}

const STAGES = 20;

function bundleOf(manifests: readonly object[]): Bundle {
  const stages = Array.from({ length: STAGES }, (_, index) => ({
    name: `stage-${index}`,
    clusterSelector: { matchLabels: { part: `${index}` } },
  }));
  const { spec, ...rest } = aBundle({ manifests, strategy: { stages } }, { generation: 2 });
  const { sites: _sites, ...others } = spec;
  return { ...rest, spec: { ...others, placement: 'edge' } };
}

function statusOf(clusters: readonly string[], revisions: readonly string[]): object {
  const failure = { kind: 'ConfigMap', name: 'c-0', reason: 'Conflict', message: 'm'.repeat(256) };
  return {
    observedGeneration: 1,
    sites: clusters.length,
    revisions: revisions.map((revision, index) => {
      const on = clusters.filter((_name, at) => at % revisions.length === index);
      return { revision, number: on.length, sites: on };
    }),
    failing: clusters.slice(0, 20).map((cluster) => ({ cluster, ...failure })),
  };
}

function rulesOf(clusters: readonly string[]): SelectRules {
  const members = clusters.map((name, index) => ({
    ...aCluster(name, { part: `${index % STAGES}` }),
    status: { conditions: [{ type: AVAILABLE, status: 'True' }] },
  }));
  const config = {
    metadata: RCS_CONFIG_KEY,
    spec: { placements: [], bundles: { unrestricted: ['apps'] }, pinning: 'Any' },
  };
  const placement = {
    metadata: { namespace: 'apps', name: 'edge' },
    spec: {},
    status: { numberOfSelectedClusters: clusters.length },
  };
  const page = {
    metadata: { namespace: 'apps', name: 'edge-1', labels: { [PLACEMENT_LABEL]: 'edge' } },
    status: { decisions: clusters.map((clusterName) => ({ clusterName, reason: '' })) },
  };
  const caches = {
    clusters: listed(members),
    configs: listed([config]),
    placements: listed([placement]),
    decisions: listed([page], { placement: () => ['apps/edge'] }),
    setBindings: listed([]),
    clusterSets: listed([]),
  };
  return { caches: caches as never, hubUid: 'hub', config: RCS_CONFIG_KEY };
}

export interface WorstSet {
  readonly options: SelectOptions;
  readonly asked: PreviewedSet;
}

/** The texts of a Capp's template: many short ones, each of which may ask for something of the site. */
function worstTemplate(bytes: number, text: string): object {
  const env = Array.from({ length: Math.ceil(bytes / 100) }, (_, index) => ({
    name: `N${index}`,
    value: text.padEnd(70, 'x'),
  }));
  const containers = [{ name: 'app', image: 'ghcr.io/me/app:v1', env }];
  return { spec: { configurationSpec: { template: { spec: { containers } } } } };
}

/**
 * A set on so many sites of a Placement, in as many stages as may be, with ten revisions that are kept and on
 * the sites, and a change of every text. `text` is what each text begins with.
 */
export function worstSetPlan(sites: number, bytes: number, text = '{{site}}'): WorstSet {
  const clusters = Array.from({ length: sites }, (_, index) => `site-${index}`);
  const stages = bundleOf([]).spec.strategy?.stages;
  const given = aSet('web', {
    placement: 'edge',
    strategy: { stages },
    template: worstTemplate(bytes, text),
  });
  const set = { ...given, metadata: { ...given.metadata, uid: 'set', generation: 2 }, status: {} } as CappSet;
  const kept = Array.from({ length: 10 }, (_, index) => ({
    template: worstTemplate(bytes, `${index}${text}`),
  })) as unknown as RevisionContent[];
  const revisions = kept.map((pattern) => revisionOf(pattern));
  const children = clusters.map((cluster, index) => childOn(cluster, revisions[index % kept.length] ?? ''));
  const patterns = new Map([
    ...kept.map((pattern, index) => [revisions[index] ?? '', pattern] as const),
    [revisionOf(set.spec), set.spec] as const,
  ]);
  const { caches, ...rest } = rulesOf(clusters);
  const more = { capps: listed(children), drains: listed([], { target: () => [] }) };
  return {
    options: { ...rest, caches: { ...caches, ...more } },
    asked: { set, children, patterns },
  };
}

function childOn(cluster: string, revision: string): Capp {
  const { apiVersion, kind } = CAPP_SET;
  const annotations = { [SET_REVISION]: writtenAs({ revision, content: '0123456789', at: 1 }) };
  const child = aCapp({ namespace: 'apps', name: `web-${cluster}`, uid: cluster, annotations });
  const ownerReferences = [{ apiVersion, kind, name: 'web', uid: 'set', controller: true }];
  return { ...child, metadata: { ...child.metadata, ownerReferences } };
}
