// A set beside 250 clusters without agents: OCM's decisions come on three pages, and one relabelled cluster
// is one Capp.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { ALLOW_DETACH, SET } from '../../../crds/labels.ts';
import { AVAILABLE, MANAGED_CLUSTER, MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import {
  CLUSTER_SET_LABEL,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type PlacementDecision,
} from '../../../crds/ocm/placements.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { newNamespace } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { configOf, configure } from '../../../testbed/rcs-config.ts';
import { openStack, type Stack } from '../../../testbed/stack.ts';

const CLUSTERS = 250;
/** Clusters with this label do not get our add-on, as clusters without an agent have none. */
const WITHOUT_AGENT = 'example.com/without-agent';
const ADD_ON_PLACEMENT = { namespace: 'open-cluster-management-addon', name: 'cappstan-agents' };
const AT_ONCE = 10;
const WAIT = { withinMs: 900_000, everyMs: 500 };

let stack: Stack;
let namespace: string;
let placed: { namespace: string; name: string };
let restore: () => Promise<void>;
let install: () => Promise<unknown>;
beforeAll(async () => {
  stack = await openStack();
  install = await leaveOut(WITHOUT_AGENT);
  namespace = await newNamespace(stack.hub, 'many');
  const { placements, placementsNamespace } = await configOf(stack.hub);
  placed = { namespace: placementsNamespace, name: namespace };
  restore = await configure(stack.hub, { placements: [...(placements ?? []), namespace] });
});
afterAll(async () => {
  await forEach(fakes(), async (name) => {
    const key = { namespace: null, name };
    if ((await stack.hub.get(MANAGED_CLUSTER, key)) === null) return;
    await stack.hub.patch(MANAGED_CLUSTER, key, { metadata: { annotations: { [ALLOW_DETACH]: 'true' } } });
    await stack.hub.remove(MANAGED_CLUSTER, key);
  });
  await restore();
  await install();
  await stack.hub.remove(PLACEMENT, placed);
  await stack.hub.remove(MANAGED_CLUSTER_SET_BINDING, placed);
  await stack.hub.remove(MANAGED_CLUSTER_SET, { namespace: null, name: namespace });
  await stack.close();
}, 600_000);

const fakes = (): string[] => Array.from({ length: CLUSTERS }, (_, index) => `${namespace}-${index}`);
const fleet = () => ({ [`example.com/${namespace}`]: 'yes' });
const key = () => ({ namespace, name: 'shop' });

async function forEach(names: readonly string[], act: (name: string) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < names.length; first += AT_ONCE)
    await Promise.all(names.slice(first, first + AT_ONCE).map(act));
}

const made = ({ apiVersion, kind }: Resource, metadata: object, spec: object): KubeObject =>
  ({ apiVersion, kind, metadata, spec }) as unknown as KubeObject;

const relabel = (name: string, labels: Readonly<Record<string, string | null>>) =>
  stack.hub.patch(MANAGED_CLUSTER, { namespace: null, name }, { metadata: { labels } });

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
async function leaveOut(label: string): Promise<() => Promise<unknown>> {
  const found = await stack.hub.get<Selecting>(PLACEMENT, ADD_ON_PLACEMENT);
  const [first, ...others] = found?.spec?.predicates ?? [];
  const selector = first?.requiredClusterSelector;
  const { matchExpressions = [], ...labels } = selector?.labelSelector ?? {};
  const without = { key: label, operator: 'DoesNotExist' };
  const requiredClusterSelector = {
    ...selector,
    labelSelector: { ...labels, matchExpressions: [...matchExpressions, without] },
  };
  const write = (predicates: unknown) =>
    stack.hub.patch(PLACEMENT, ADD_ON_PLACEMENT, { spec: { predicates } });
  await write([{ ...first, requiredClusterSelector }, ...others]);
  return () => write(found?.spec?.predicates);
}

/** In a clusterset of their own, so that no other Placement selects them. */
async function join(name: string): Promise<void> {
  const labels = { ...fleet(), [CLUSTER_SET_LABEL]: namespace, [WITHOUT_AGENT]: 'yes' };
  const spec = { hubAcceptsClient: true, leaseDurationSeconds: 36_000 };
  // OCM's webhook may be too busy to answer.
  await eventually(
    () => stack.hub.create(MANAGED_CLUSTER, made(MANAGED_CLUSTER, { name, labels }, spec)),
    WAIT,
  );
  const lastTransitionTime = new Date().toISOString();
  const conditions = ['HubAcceptedManagedCluster', 'ManagedClusterJoined', AVAILABLE].map((type) => ({
    type,
    status: 'True',
    reason: 'Test',
    message: '',
    lastTransitionTime,
  }));
  const status = { subresource: 'status' } as const;
  await stack.hub.patch(MANAGED_CLUSTER, { namespace: null, name }, { status: { conditions } }, status);
}

async function children(): Promise<ReadonlyMap<string, Capp>> {
  const { items } = await stack.hub.list<Capp>(CAPP, { namespace, labelSelector: `${SET}=shop` });
  return new Map(items.map((capp) => [capp.spec.site ?? '', capp]));
}

function untilOn(sites: readonly string[]): Promise<ReadonlyMap<string, Capp>> {
  return eventually(async () => {
    const found = await children();
    expect([...found.keys()].toSorted()).toEqual(sites.toSorted());
    return found;
  }, WAIT);
}

/** What the set has made of each Capp, by its site. */
const written = (capps: ReadonlyMap<string, Capp>, but: string) =>
  new Map(
    [...capps]
      .filter(([site]) => site !== but)
      .map(([site, { metadata }]) => [site, [metadata.uid, metadata.generation, writtenOf(metadata)]]),
  );

/** What the work agents of these clusters would do: nothing of the works is there any more. */
async function cleanUp(): Promise<void> {
  const { items } = await stack.hub.list(MANIFEST_WORK);
  const going = items.filter(
    ({ metadata }) =>
      metadata.deletionTimestamp !== undefined && metadata.namespace?.startsWith(`${namespace}-`) === true,
  );
  for (const { metadata } of going) {
    const work = { namespace: metadata.namespace ?? '', name: metadata.name };
    await stack.hub.patch(MANIFEST_WORK, work, { metadata: { finalizers: null } }).catch(() => undefined);
  }
}

test('of 250 clusters on three pages of decisions, one relabelled cluster adds or removes exactly one Capp', async () => {
  await stack.hub.create(MANAGED_CLUSTER_SET, made(MANAGED_CLUSTER_SET, { name: namespace }, {}));
  const bound = made(MANAGED_CLUSTER_SET_BINDING, placed, { clusterSet: namespace });
  await stack.hub.create(MANAGED_CLUSTER_SET_BINDING, bound);
  await forEach(fakes(), join);
  for (const site of stack.sites) await relabel(site, fleet());
  const predicates = [{ requiredClusterSelector: { labelSelector: { matchLabels: fleet() } } }];
  await stack.hub.create(PLACEMENT, made(PLACEMENT, placed, { predicates }));
  await eventually(async () => {
    const labelSelector = `${PLACEMENT_LABEL}=${placed.name}`;
    const { items } = await stack.hub.list<PlacementDecision>(PLACEMENT_DECISION, {
      namespace: placed.namespace,
      labelSelector,
    });
    const sizes = items.map(({ status }) => status?.decisions?.length ?? 0);
    expect(sizes.toSorted((a, b) => b - a)).toEqual([100, 100, CLUSTERS + stack.sites.length - 200]);
    return true;
  }, WAIT);

  const containers = [{ name: 'app', image: 'shop:v1' }];
  const template = { spec: { configurationSpec: { template: { spec: { containers } } } } };
  const strategy = { maxConcurrent: '100%' };
  await stack.hub.create(CAPP_SET, made(CAPP_SET, key(), { placement: placed.name, template, strategy }));
  const all = [...fakes(), ...stack.sites];
  const before = await untilOn(all);

  const [one = ''] = fakes();
  await relabel(one, { [`example.com/${namespace}`]: null });
  const without = await eventually(async () => {
    await cleanUp();
    const found = await children();
    expect(found.has(one)).toBe(false);
    return found;
  }, WAIT);
  expect(written(without, one)).toEqual(written(before, one));

  await relabel(one, fleet());
  const again = await untilOn(all);
  expect(written(again, one)).toEqual(written(before, one));
  expect(again.get(one)?.metadata.uid).not.toBe(before.get(one)?.metadata.uid);

  await stack.hub.remove(CAPP_SET, key());
  await eventually(async () => {
    await cleanUp();
    expect((await children()).size).toBe(0);
    expect(await stack.hub.get(CAPP_SET, key())).toBeNull();
    return true;
  }, WAIT);
}, 3_000_000);
