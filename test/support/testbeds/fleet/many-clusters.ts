// A stack with 250 clusters without agents beside its sites, all in one clusterset, and a set for them.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { ALLOW_DETACH, SET } from '../../../../crds/labels.ts';
import { AVAILABLE, MANAGED_CLUSTER, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import {
  CLUSTER_SET_LABEL,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
} from '../../../../crds/ocm/placements.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { newNamespace } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { configOf, configure } from '../../../../testbed/rcs-config.ts';
import { openStack, type TestbedStack } from '../../../../testbed/stack.ts';

const CLUSTERS = 250;
/** Clusters with this label do not get our add-on, as clusters without an agent have none. */
const WITHOUT_AGENT = 'example.com/without-agent';
const ADD_ON_PLACEMENT = { namespace: 'open-cluster-management-addon', name: 'cappstan-agents' };
const AT_ONCE = 10;
export const WAIT = { withinMs: 900_000, everyMs: 500 };

export interface ManyClusters {
  readonly stack: TestbedStack;
  readonly namespace: string;
  /** Clusters without an agent. */
  readonly fakes: readonly string[];
  /** All of them, and the sites of the stack. */
  readonly all: readonly string[];
  /** Namespace and name of the Placement. */
  readonly placed: { readonly namespace: string; readonly name: string };
  /** Namespace and name of the set. */
  readonly key: { readonly namespace: string; readonly name: string };
  /** The Placement, which selects the clusters with this label. */
  placement(label: string): KubeObject;
  /** Puts a label on clusters, or takes it off. */
  label(names: readonly string[], label: string, value: 'yes' | null): Promise<void>;
  set(): Promise<CappSet>;
  /** The Capps of the set, by their sites. */
  children(): Promise<ReadonlyMap<string, Capp>>;
  /** Waits until the set has Capps on exactly these sites. */
  untilOn(sites: readonly string[]): Promise<ReadonlyMap<string, Capp>>;
  /** What the work agents of these clusters would do: nothing of the works is there any more. */
  cleanUp(): Promise<void>;
  close(): Promise<void>;
}

/** The label that all of them have. */
export const FLEET = 'example.com/fleet';

export const made = ({ apiVersion, kind }: Resource, metadata: object, spec: object): KubeObject =>
  ({ apiVersion, kind, metadata, spec }) as unknown as KubeObject;

export async function manyClusters(): Promise<ManyClusters> {
  const stack = await openStack();
  const { hub } = stack;
  const install = await leaveOut(hub, WITHOUT_AGENT);
  const namespace = await newNamespace(hub, 'many');
  const { placements, placementsNamespace } = await configOf(hub);
  const placed = { namespace: placementsNamespace, name: namespace };
  const restore = await configure(hub, { placements: [...(placements ?? []), namespace] });
  const fakes = Array.from({ length: CLUSTERS }, (_, index) => `${namespace}-${index}`);
  const all = [...fakes, ...stack.sites];
  const key = { namespace, name: 'shop' };
  const label: ManyClusters['label'] = (names, name, value) =>
    forEach(names, (cluster) =>
      hub.patch(
        MANAGED_CLUSTER,
        { namespace: null, name: cluster },
        { metadata: { labels: { [name]: value } } },
      ),
    );
  const children = async (): Promise<ReadonlyMap<string, Capp>> => {
    const { items } = await hub.list<Capp>(CAPP, { namespace, labelSelector: `${SET}=shop` });
    return new Map(items.map((capp) => [capp.spec.site ?? '', capp]));
  };
  await hub.create(MANAGED_CLUSTER_SET, made(MANAGED_CLUSTER_SET, { name: namespace }, {}));
  const bound = made(MANAGED_CLUSTER_SET_BINDING, placed, { clusterSet: namespace });
  await hub.create(MANAGED_CLUSTER_SET_BINDING, bound);
  await forEach(fakes, (name) => join(hub, name, namespace));
  await label(stack.sites, FLEET, 'yes');
  return {
    stack,
    namespace,
    fakes,
    all,
    placed,
    key,
    placement: (name) => {
      const labelSelector = { matchLabels: { [name]: 'yes' } };
      return made(PLACEMENT, placed, { predicates: [{ requiredClusterSelector: { labelSelector } }] });
    },
    label,
    set: async () => {
      const set = await hub.get<CappSet>(CAPP_SET, key);
      if (set === null) throw new Error('there is no CappSet');
      return set;
    },
    children,
    untilOn: (sites) =>
      eventually(async () => {
        const found = await children();
        expect([...found.keys()].toSorted()).toEqual(sites.toSorted());
        return found;
      }, WAIT),
    cleanUp: () => cleanUp(hub, namespace),
    close: async () => {
      await label(stack.sites, FLEET, null);
      await forEach(fakes, (name) => detach(hub, name));
      await restore();
      await install();
      await hub.remove(PLACEMENT, placed);
      await hub.remove(MANAGED_CLUSTER_SET_BINDING, placed);
      await hub.remove(MANAGED_CLUSTER_SET, { namespace: null, name: namespace });
      await stack.close();
    },
  };
}

async function forEach(names: readonly string[], act: (name: string) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < names.length; first += AT_ONCE)
    await Promise.all(names.slice(first, first + AT_ONCE).map(act));
}

interface Selecting extends KubeObject {
  readonly spec?: {
    readonly predicates?: readonly {
      readonly requiredClusterSelector?: {
        readonly labelSelector?: { readonly matchExpressions?: readonly object[] };
      };
    }[];
  };
}

/** OCM installs our add-on on no cluster with this label, until the function that it returns is called. */
async function leaveOut(hub: Kube, label: string): Promise<() => Promise<unknown>> {
  const found = await hub.get<Selecting>(PLACEMENT, ADD_ON_PLACEMENT);
  const [first, ...others] = found?.spec?.predicates ?? [];
  const selector = first?.requiredClusterSelector;
  const { matchExpressions = [], ...labels } = selector?.labelSelector ?? {};
  const without = { key: label, operator: 'DoesNotExist' };
  const requiredClusterSelector = {
    ...selector,
    labelSelector: { ...labels, matchExpressions: [...matchExpressions, without] },
  };
  const write = (predicates: unknown) => hub.patch(PLACEMENT, ADD_ON_PLACEMENT, { spec: { predicates } });
  await write([{ ...first, requiredClusterSelector }, ...others]);
  return () => write(found?.spec?.predicates);
}

/** In a clusterset of their own, so that no other Placement selects them. */
async function join(hub: Kube, name: string, clusterSet: string): Promise<void> {
  const labels = { [FLEET]: 'yes', [CLUSTER_SET_LABEL]: clusterSet, [WITHOUT_AGENT]: 'yes' };
  const spec = { hubAcceptsClient: true, leaseDurationSeconds: 36_000 };
  // OCM's webhook may be too busy to answer.
  await eventually(() => hub.create(MANAGED_CLUSTER, made(MANAGED_CLUSTER, { name, labels }, spec)), WAIT);
  const lastTransitionTime = new Date().toISOString();
  const conditions = ['HubAcceptedManagedCluster', 'ManagedClusterJoined', AVAILABLE].map((type) => ({
    type,
    status: 'True',
    reason: 'Test',
    message: '',
    lastTransitionTime,
  }));
  const status = { subresource: 'status' } as const;
  await hub.patch(MANAGED_CLUSTER, { namespace: null, name }, { status: { conditions } }, status);
}

async function detach(hub: Kube, name: string): Promise<void> {
  const key = { namespace: null, name };
  if ((await hub.get(MANAGED_CLUSTER, key)) === null) return;
  await hub.patch(MANAGED_CLUSTER, key, { metadata: { annotations: { [ALLOW_DETACH]: 'true' } } });
  await hub.remove(MANAGED_CLUSTER, key);
}

async function cleanUp(hub: Kube, namespace: string): Promise<void> {
  const { items } = await hub.list(MANIFEST_WORK);
  const going = items.filter(
    ({ metadata }) =>
      metadata.deletionTimestamp !== undefined && metadata.namespace?.startsWith(`${namespace}-`) === true,
  );
  for (const { metadata } of going) {
    const work = { namespace: metadata.namespace ?? '', name: metadata.name };
    await hub.patch(MANIFEST_WORK, work, { metadata: { finalizers: null } }).catch(() => undefined);
  }
}
