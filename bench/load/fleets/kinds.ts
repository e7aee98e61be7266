// What takes one Deployment to a hundred sites in stages: OCM's ManifestWorkReplicaSet, a Bundle, and a
// CappSet.
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import type { ForeignCondition } from '../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK_REPLICA_SET } from '../../../crds/ocm/ocm.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { capp } from '../../../testbed/capps.ts';
import type { Testbed } from '../testbed.ts';
import { STAGE, STAGES, type StagedSites } from './sites.ts';

/** One kind of object for a fleet of sites. */
export interface FleetSide {
  readonly title: string;
  /** The processes that do its work; those of the other side are held still meanwhile. */
  readonly processes: readonly string[];
  /** The one that is killed in the middle. */
  readonly killed: string;
  /** Creates an object with this image, or edits it. */
  write(name: string, image: string): Promise<unknown>;
  /** Whether its status says that all sites have its newest spec. */
  isDone(name: string): Promise<boolean>;
  remove(name: string): Promise<unknown>;
}

interface Told extends KubeObject {
  readonly status?: { readonly conditions?: readonly ForeignCondition[] };
}

export function fleetSides(testbed: Testbed, sites: StagedSites): readonly FleetSide[] {
  const ours = { processes: ['bridge', 'hub-worker', 'webhook'], killed: 'hub-worker' };
  return [
    {
      title: 'OCM’s ManifestWorkReplicaSet',
      processes: ['ocm-work'],
      killed: 'ocm-work',
      ...asObject(testbed, MANIFEST_WORK_REPLICA_SET, (name, image) => replicaSet(sites, name, image), {
        type: 'PlacementRolledOut',
        // It has no generation.
        isNewest: () => true,
      }),
    },
    { title: 'a Bundle', ...ours, ...asObject(testbed, BUNDLE, (...of) => bundle(sites, ...of), READY) },
    { title: 'a CappSet', ...ours, ...asObject(testbed, CAPP_SET, (...of) => cappSet(sites, ...of), READY) },
  ];
}

interface Done {
  readonly type: string;
  isNewest(condition: ForeignCondition, generation: number | undefined): boolean;
}

const READY: Done = {
  type: 'Ready',
  isNewest: ({ observedGeneration }, generation) => observedGeneration === generation,
};

function asObject(
  { hub, namespace }: Testbed,
  resource: Resource,
  specOf: (name: string, image: string) => object,
  done: Done,
): Pick<FleetSide, 'write' | 'isDone' | 'remove'> {
  const { apiVersion, kind } = resource;
  return {
    write: async (name, image) => {
      const spec = specOf(name, image);
      const isThere = (await hub.get(resource, { namespace, name })) !== null;
      return isThere
        ? hub.patch(resource, { namespace, name }, { spec })
        : hub.create(resource, { apiVersion, kind, metadata: { namespace, name }, spec } as KubeObject);
    },
    isDone: async (name) => {
      const found = await hub.get<Told>(resource, { namespace, name });
      const condition = found?.status?.conditions?.find(({ type }) => type === done.type);
      return condition?.status === 'True' && done.isNewest(condition, found?.metadata.generation);
    },
    remove: (name) => hub.remove(resource, { namespace, name }),
  };
}

function deployment(name: string, image: string): object {
  const labels = { app: name };
  const containers = [{ name: 'app', image }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'bench' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

/** Its groups are halves of stages, one after the other. */
function replicaSet({ placement }: StagedSites, name: string, image: string): object {
  const resourceIdentifier = { group: 'apps', resource: 'deployments', name, namespace: 'bench' };
  const conditionRules = [
    { condition: 'Progressing', type: 'CEL', celExpressions: [HAS_ALL], message: '', messageExpression: '' },
  ];
  return {
    manifestWorkTemplate: {
      workload: { manifests: [deployment(name, image)] },
      manifestConfigs: [{ resourceIdentifier, conditionRules }],
    },
    placementRefs: [{ name: placement, rolloutStrategy: { type: 'ProgressivePerGroup' } }],
  };
}

const HAS_ALL =
  '!(has(object.status.updatedReplicas) && object.status.updatedReplicas == object.spec.replicas)';

function strategy(): object {
  const stages = Object.keys(STAGES).map((name) => ({ name, sites: { matchLabels: { [STAGE]: name } } }));
  return { stages, maxConcurrent: '50%' };
}

function bundle({ placement }: StagedSites, name: string, image: string): object {
  return { placement, manifests: [deployment(name, image)], strategy: strategy() };
}

function cappSet({ placement }: StagedSites, name: string, image: string): object {
  const { spec } = capp({ namespace: '', name, image });
  return { placement, template: { spec: { ...spec, state: 'disabled' } }, strategy: strategy() };
}
