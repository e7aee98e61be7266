// One app on two real sites by a Placement: the seed's story 002.2, then an edit in stages, and a mass
// unlabelling of clusters without agents that waits for a person.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { ALLOW_DETACH, APPROVE_REMOVAL, SET } from '../../../crds/labels.ts';
import { AVAILABLE, MANAGED_CLUSTER, MANIFEST_WORK, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { CLUSTER_SET_LABEL, PLACEMENT } from '../../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../../crds/hub/rcs-config.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { newNamespace } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const TIMEOUT = { withinMs: 180_000, everyMs: 250 };
const FAKES = 6;

let stack: TestbedStack;
let namespace: string;
let placed: { namespace: string; name: string };
let release: () => Promise<unknown> = async () => undefined;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'sets');
  const config = await stack.hub.get<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY);
  const { placements = [], placementsNamespace = '' } = config?.spec ?? {};
  placed = { namespace: placementsNamespace, name: namespace };
  const write = (names: readonly string[]) =>
    stack.hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { placements: names } });
  await write([...placements, namespace]);
  release = () => write(placements);
});
afterAll(async () => {
  for (const name of fakes()) {
    const found = await stack.hub.get(MANAGED_CLUSTER, { namespace: null, name });
    if (found === null) continue;
    const annotations = { [ALLOW_DETACH]: 'true' };
    await stack.hub.patch(MANAGED_CLUSTER, { namespace: null, name }, { metadata: { annotations } });
    await stack.hub.remove(MANAGED_CLUSTER, { namespace: null, name });
  }
  await release();
  await stack.hub.remove(PLACEMENT, placed);
  await stack.close();
});

const fakes = (): string[] => Array.from({ length: FAKES }, (_, index) => `${namespace}-fake-${index}`);
const key = () => ({ namespace, name: 'shop' });
const fleet = () => ({ [`example.com/${namespace}`]: 'yes' });
const readSet = async (): Promise<CappSet> => {
  const set = await stack.hub.get<CappSet>(CAPP_SET, key());
  if (set === null) throw new Error('there is no CappSet');
  return set;
};
const children = async (): Promise<Capp[]> =>
  (await stack.hub.list<Capp>(CAPP, { namespace, labelSelector: `${SET}=shop` })).items;
const untilSet = (isSo: (set: CappSet) => boolean): Promise<CappSet> =>
  eventually(async () => {
    const set = await readSet();
    if (isSo(set)) return set;
    throw new Error(`the set says ${JSON.stringify(set.status)}`);
  }, TIMEOUT);
const says = (type: string, status: string, reason?: string) => (set: CappSet) =>
  set.status?.conditions?.some(
    (one) => one.type === type && one.status === status && (reason === undefined || one.reason === reason),
  ) === true;
const untilChildren = (names: readonly string[]): Promise<true> =>
  eventually(async () => {
    expect((await children()).map(({ metadata }) => metadata.name).toSorted()).toEqual(names.toSorted());
    return true as const;
  }, TIMEOUT);
const leaving = async (): Promise<Capp[]> =>
  (await children()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
/** What the work agents of these clusters would do: nothing of the works is there any more. */
async function cleanUp(clusters: readonly string[]): Promise<void> {
  for (const cluster of clusters) {
    const { items } = await stack.hub.list(MANIFEST_WORK, { namespace: cluster });
    for (const { metadata } of items)
      if (metadata.deletionTimestamp !== undefined)
        await stack.hub.patch(
          MANIFEST_WORK,
          { namespace: cluster, name: metadata.name },
          { metadata: { finalizers: null } },
        );
  }
}
const label = (name: string, labels: Readonly<Record<string, string | null>>) =>
  stack.hub.patch(MANAGED_CLUSTER, { namespace: null, name }, { metadata: { labels } });
const container = (image: string) => ({ name: 'app', image });

function aSet(): CappSet {
  const [canary = ''] = stack.sites;
  const template = {
    spec: { configurationSpec: { template: { spec: { containers: [container('shop:v1')] } } } },
  };
  const stages = [{ name: 'canary', sites: { matchLabels: { name: canary } } }];
  return {
    apiVersion: CAPP_SET.apiVersion,
    kind: CAPP_SET.kind,
    metadata: { namespace, name: 'shop' },
    spec: { placement: placed.name, template, strategy: { stages, maxConcurrent: '100%' } },
  } as unknown as CappSet;
}

async function fake(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
  await stack.hub.create(MANAGED_CLUSTER, {
    apiVersion: MANAGED_CLUSTER.apiVersion,
    kind: MANAGED_CLUSTER.kind,
    metadata: { name, labels },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 36_000 },
  } as KubeObject);
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: 'Test',
    message: '',
    lastTransitionTime: new Date().toISOString(),
  });
  const conditions = ['HubAcceptedManagedCluster', 'ManagedClusterJoined', AVAILABLE].map(condition);
  await stack.hub.patch(
    MANAGED_CLUSTER,
    { namespace: null, name },
    { status: { conditions } },
    { subresource: 'status' },
  );
}

test('a set follows its Placement onto two sites, leaves one when the number is lowered, and takes an edit in stages', async () => {
  for (const site of stack.sites) await label(site, { ...fleet(), name: site });
  const predicates = [{ requiredClusterSelector: { labelSelector: { matchLabels: fleet() } } }];
  await stack.hub.create(PLACEMENT, {
    apiVersion: PLACEMENT.apiVersion,
    kind: PLACEMENT.kind,
    metadata: placed,
    spec: { numberOfClusters: 2, predicates },
  } as KubeObject);
  await stack.hub.create(CAPP_SET, aSet());
  const all = stack.sites.map((site) => `shop-${site}`);
  const ready = await untilSet(says('Ready', 'True'));
  expect(ready.status?.readySites).toBe('2/2');
  await untilChildren(all);
  for (const child of await children()) expect(child.status?.applicationLinks?.site).toBe(child.spec.site);

  const containers = [container('shop:v2')];
  await stack.hub.patch(CAPP_SET, key(), {
    spec: { template: { spec: { configurationSpec: { template: { spec: { containers } } } } } },
  });
  const edited = await untilSet(
    (set) => set.status?.revision !== ready.status?.revision && says('Ready', 'True')(set),
  );
  expect(edited.status?.stages?.map(({ name, state }) => [name, state])).toEqual([
    ['canary', 'Passed'],
    ['rest', 'Passed'],
  ]);
  const [canary = 0, rest = 0] = (await children())
    .toSorted((a, b) => stack.sites.indexOf(a.spec.site ?? '') - stack.sites.indexOf(b.spec.site ?? ''))
    .map(({ metadata }) => writtenOf(metadata)?.at ?? 0);
  expect(rest).toBeGreaterThan(canary);
  const images = (await children()).map(
    ({ spec }) => spec.configurationSpec.template.spec.containers[0]?.image,
  );
  expect(images).toEqual(['shop:v2', 'shop:v2']);

  await stack.hub.patch(PLACEMENT, placed, { spec: { numberOfClusters: 1 } });
  await eventually(async () => {
    expect(await children()).toHaveLength(1);
    return true;
  }, TIMEOUT);
  await untilSet(says('Stalled', 'False'));
});

test('when most clusters lose their label at once, nothing is removed before a person says so', async () => {
  const [first = ''] = stack.sites;
  const found = await stack.hub.get<ManagedCluster & KubeObject>(MANAGED_CLUSTER, {
    namespace: null,
    name: first,
  });
  const clusterSet = found?.metadata.labels?.[CLUSTER_SET_LABEL] ?? 'default';
  for (const name of fakes()) await fake(name, { ...fleet(), [CLUSTER_SET_LABEL]: clusterSet });
  await stack.hub.patch(PLACEMENT, placed, { spec: { numberOfClusters: null } });
  await eventually(async () => {
    expect(await children()).toHaveLength(FAKES + stack.sites.length);
    return true;
  }, TIMEOUT);

  const gone = fakes().slice(0, FAKES - 1);
  const unlabelled = Object.fromEntries(Object.keys(fleet()).map((one) => [one, null]));
  await Promise.all(gone.map((name) => label(name, unlabelled)));
  await untilSet(says('Stalled', 'True', 'RemovalHeld'));
  expect(await leaving()).toEqual([]);

  const { heldRemoval } = (await readSet()).status ?? {};
  expect(heldRemoval?.count).toBe(gone.length);
  const annotations = { [APPROVE_REMOVAL]: `${gone.length}#${heldRemoval?.set ?? ''}` };
  await stack.hub.patch(CAPP_SET, key(), { metadata: { annotations } });
  await eventually(async () => {
    const standing = (await children()).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const stay = [...fakes().filter((name) => !gone.includes(name)), ...stack.sites];
    expect(new Set(standing.map(({ spec }) => spec.site))).toEqual(new Set(stay));
    return true;
  }, TIMEOUT);
  await eventually(async () => {
    await cleanUp(gone);
    expect(await children()).toHaveLength(FAKES + stack.sites.length - gone.length);
    return true;
  }, TIMEOUT);
  const { status } = await readSet();
  expect(status?.asked).toContainEqual(expect.objectContaining({ what: 'removal', by: expect.any(String) }));

  await stack.hub.remove(CAPP_SET, key());
  await eventually(async () => {
    await cleanUp(fakes());
    expect(await stack.hub.get(CAPP_SET, key())).toBeNull();
    expect(await children()).toEqual([]);
    return true;
  }, TIMEOUT);
}, 900_000);
