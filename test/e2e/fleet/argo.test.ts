// Argo CD's own ApplicationSet controller with the objects of docs/argo.md, unchanged: it deploys where OCM's
// Placement says, as in OCM's fifth scenario, and where a Capp is. And an Application inside a Bundle.
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_BY, MIGRATE } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER_SET_BINDING, PLACEMENT } from '../../../crds/ocm/placements.ts';
import { applyObjects } from '../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import {
  APPLICATION,
  APPLICATION_SET,
  ARGO_NAMESPACE,
  documented,
  serveArgo,
  startArgo,
  untilApplications,
  type Argo,
} from '../../../testbed/programs/argo.ts';
import { createBundle, untilBundle, untilBundleGone } from '../../../testbed/bundles.ts';
import {
  createCapp,
  newNamespace,
  readCapp,
  siteOf,
  untilCondition,
  untilGone,
  untilReady,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const WAIT = { withinMs: 180_000, everyMs: 250 };

let stack: TestbedStack;
let argo: Argo;
let blocks: KubeObject[][];
beforeAll(async () => {
  stack = await openStack();
  blocks = await documented();
  argo = await startArgo(stack);
}, 480_000);
afterAll(async () => {
  await argo?.stop();
  await stack.close();
});

interface Documented {
  readonly spec: Omit<Parameters<typeof createBundle>[2], 'sites'>;
}

/** The names of the Applications of these sites. */
const on = (sites: readonly string[], rest: string) => sites.map((site) => `${site}-${rest}`);
const shop = { namespace: ARGO_NAMESPACE, name: 'shop' };

test("OCM's fifth scenario: one Application for each cluster that the Placement selects, and none for one it leaves out", async () => {
  await stack.hub.create(MANAGED_CLUSTER_SET_BINDING, {
    apiVersion: MANAGED_CLUSTER_SET_BINDING.apiVersion,
    kind: MANAGED_CLUSTER_SET_BINDING.kind,
    metadata: { namespace: ARGO_NAMESPACE, name: 'global' },
    spec: { clusterSet: 'global' },
  } as KubeObject);
  await applyObjects(stack.hub, blocks[0] ?? []);
  const made = await untilApplications(stack.hub, on(stack.sites, 'guestbook-app'));
  expect(made.map(({ spec }) => spec.destination.name).toSorted()).toEqual(stack.sites);

  const placement = { namespace: ARGO_NAMESPACE, name: 'guestbook-app-placement' };
  await stack.hub.patch(PLACEMENT, placement, { spec: { numberOfClusters: 1 } });
  const [left] = await eventually(async () => {
    const { items } = await stack.hub.list(APPLICATION, { namespace: ARGO_NAMESPACE });
    const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    expect(staying).toHaveLength(1);
    return staying;
  }, WAIT);
  await stack.hub.patch(PLACEMENT, placement, { spec: { numberOfClusters: 10 } });
  await eventually(async () => {
    const again = await untilApplications(stack.hub, on(stack.sites, 'guestbook-app'));
    expect(again.every(({ metadata }) => metadata.deletionTimestamp === undefined)).toBe(true);
    expect(again.map(({ metadata }) => metadata.uid)).toContain(left?.metadata.uid);
    return true;
  }, WAIT);
  await stack.hub.remove(APPLICATION_SET, { namespace: ARGO_NAMESPACE, name: 'guestbook-app' });
  await untilApplications(stack.hub, []);
}, 900_000);

test('a companion waits for a Capp without a site, is where the Capp is, and is on the new site before users are', async () => {
  const requires = { labels: { matchLabels: { 'example.com/companions': 'yes' } } };
  await createCapp(stack.hub, { ...shop, spec: { requires } });
  await untilCondition(stack.hub, shop, { type: 'Placed', status: 'False', reason: 'NoCandidate' });
  expect((await readCapp(stack.hub, shop)).status?.sites).toEqual([]);
  await applyObjects(stack.hub, blocks[1] ?? []);
  await eventually(async () => {
    const key = { namespace: ARGO_NAMESPACE, name: 'cache-of-shop' };
    const set = await stack.hub.get<KubeObject & { status?: { conditions?: object[] } }>(
      APPLICATION_SET,
      key,
    );
    const isWell = expect.objectContaining({ type: 'ErrorOccurred', status: 'False' }) as object;
    expect(set?.status?.conditions).toContainEqual(isWell);
    return true;
  }, WAIT);
  await untilApplications(stack.hub, []);

  await stack.hub.patch(CAPP, shop, { spec: { requires: null } });
  const home = siteOf(await untilReady(stack.hub, shop));
  await untilApplications(stack.hub, on([home], 'cache-of-shop'));
  const target = otherSite(stack, home);
  await stack.freeze(`${target}-operator`, async () => {
    await stack.hub.patch(CAPP, shop, { metadata: { annotations: { [MIGRATE]: `${target}#one` } } });
    await untilApplications(stack.hub, on([home, target], 'cache-of-shop'));
    const { status } = await readCapp(stack.hub, shop);
    expect(status?.applicationLinks?.site).toBe(home);
    expect(status?.sites).toContainEqual({ clusterName: target, role: 'Coming' });
  });
  await eventually(async () => {
    expect((await readCapp(stack.hub, shop)).status?.sites).toEqual([
      { clusterName: target, role: 'Serving' },
    ]);
    return true;
  }, WAIT);
  await untilApplications(stack.hub, on([target], 'cache-of-shop'));
  await stack.hub.remove(APPLICATION_SET, { namespace: ARGO_NAMESPACE, name: 'cache-of-shop' });
  await untilApplications(stack.hub, []);
  await stack.hub.remove(CAPP, shop);
  await untilGone(stack.hub, shop);
}, 900_000);

/**
 * Makes the namespace of Argo CD one that our agent leaves alone. A Capp of an earlier test was in it, so it
 * may be on its way out here; then it is made again once it is gone.
 */
async function ownNamespace(kube: Kube): Promise<void> {
  const metadata = { name: ARGO_NAMESPACE, labels: { [MANAGED_BY]: 'argo-cd' } };
  await eventually(async () => {
    await applyObjects(kube, [{ apiVersion: 'v1', kind: 'Namespace', metadata }]);
    const found = await kube.get(NAMESPACE, { namespace: null, name: ARGO_NAMESPACE });
    return found !== null && found.metadata.deletionTimestamp === undefined ? true : undefined;
  }, WAIT);
}

test('an Application in a Bundle makes it Ready when Argo CD on the site has synchronised it and calls it healthy', async () => {
  const [site = ''] = stack.sites;
  const kube = stack.site(site);
  await serveArgo(kube);
  await ownNamespace(kube);
  const platform = await newNamespace(stack.hub, 'pulled');
  const restore = await configure(stack.hub, { bundles: { unrestricted: [platform] } });
  const [manifest] = blocks[2] ?? [];
  const bundle = { namespace: platform, name: 'guestbook' };
  await createBundle(stack.hub, bundle, {
    ...(manifest as unknown as Documented).spec,
    sites: { clusters: [site] },
  });
  const key = { namespace: ARGO_NAMESPACE, name: 'guestbook' };
  await eventually(async () => ((await kube.get(APPLICATION, key)) === null ? undefined : true), WAIT);
  const says = (sync: string, health: string) =>
    kube.patch(APPLICATION, key, { status: { sync: { status: sync }, health: { status: health } } });
  await says('OutOfSync', 'Missing');
  await untilBundle(stack.hub, bundle, 'NotReady');
  await says('Synced', 'Healthy');
  await untilBundle(stack.hub, bundle, 'Ready');
  await says('Synced', 'Degraded');
  await untilBundle(stack.hub, bundle, 'NotReady');
  await stack.hub.remove(BUNDLE, bundle);
  await untilBundleGone(stack.hub, bundle);
  expect(await kube.get(APPLICATION, key)).toBeNull();
  await restore();
});
