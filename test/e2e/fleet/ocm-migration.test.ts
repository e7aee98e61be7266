// OCM's seventh scenario with the objects of docs/argo.md: a Capp, and a Bundle with an Argo CD Application,
// stay on a lost site as long as their Placement tolerates that, and then move; a taint set by hand moves
// them at once.
import { setTimeout as pause } from 'node:timers/promises';
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_BY } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { MANAGED_CLUSTER_SET_BINDING, PLACEMENT, type Placement } from '../../../crds/ocm/placements.ts';
import { applyObjects } from '../../../deploy/local/kubernetes/apply.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { createBundle, untilBundle, untilBundleGone } from '../../../testbed/bundles.ts';
import { createCapp, newNamespace, readCapp, siteOf, untilGone, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { APPLICATION, ARGO_NAMESPACE, documented, serveArgo } from '../../../testbed/programs/argo.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { otherSite, untilAvailable, whileTainted, whileUnreachable } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const WAIT = { withinMs: 240_000, everyMs: 200 };
/** In the place of the 300 seconds of the page, which would keep everybody waiting. */
const TOLERATED_SECONDS = 20;
const UNREACHABLE = 'cluster.open-cluster-management.io/unreachable';
const PLACED = 'guestbook-app-placement';
const APP = { namespace: '', name: 'guestbook' };

let stack: TestbedStack;
let capp: { namespace: string; name: string };
let restore: () => Promise<void>;
beforeAll(async () => {
  stack = await openStack();
  APP.namespace = await newNamespace(stack.hub, 'argo');
  for (const kube of stack.sites.map((site) => stack.site(site))) {
    await serveArgo(kube);
    const metadata = { name: APP.namespace, labels: { [MANAGED_BY]: 'argo-cd' } };
    await kube.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata });
  }
  capp = { namespace: await newNamespace(stack.hub, 'scenario7'), name: 'shop' };
  restore = await configure(stack.hub, {
    placements: [PLACED],
    placementsNamespace: APP.namespace,
    bundles: { unrestricted: [APP.namespace] },
  });
}, 480_000);
afterAll(async () => {
  await restore();
  await stack.hub.remove(PLACEMENT, { namespace: APP.namespace, name: PLACED });
  await stack.close();
});

/** Another story on this stack has the namespace of the page. */
function inOurNamespace(objects: readonly KubeObject[]): KubeObject[] {
  const text = JSON.stringify(objects).replaceAll(
    `"namespace":"${ARGO_NAMESPACE}"`,
    `"namespace":"${APP.namespace}"`,
  );
  return JSON.parse(text) as KubeObject[];
}

/** The Placement of the page, but for the seconds; and the Bundle of the page, which follows it. */
async function applyThePage(): Promise<void> {
  const blocks = inOurNamespace((await documented()).flat());
  const placement = blocks.find(
    ({ kind, ...rest }) => kind === PLACEMENT.kind && 'tolerations' in ((rest as Placement).spec ?? {}),
  ) as (KubeObject & { spec: { tolerations: { tolerationSeconds: number }[] } }) | undefined;
  const tolerations = placement?.spec.tolerations.map((one) => ({
    ...one,
    tolerationSeconds: TOLERATED_SECONDS,
  }));
  expect(placement?.spec.tolerations).toMatchObject([{ key: UNREACHABLE, tolerationSeconds: 300 }]);
  await stack.hub.apply(
    MANAGED_CLUSTER_SET_BINDING,
    {
      apiVersion: MANAGED_CLUSTER_SET_BINDING.apiVersion,
      kind: MANAGED_CLUSTER_SET_BINDING.kind,
      metadata: { namespace: APP.namespace, name: 'global' },
      spec: { clusterSet: 'global' },
    } as KubeObject,
    { fieldManager: 'e2e', force: true },
  );
  await applyObjects(stack.hub, [{ ...placement, spec: { ...placement?.spec, tolerations } } as KubeObject]);
  const bundle = blocks.find(({ kind }) => kind === BUNDLE.kind) as unknown as Bundle;
  const { sites: _sites, ...spec } = bundle.spec;
  await createBundle(stack.hub, APP, { ...spec, placement: PLACED } as Parameters<typeof createBundle>[2]);
}

/** In the place of Argo CD on each site, as long as `meanwhile` runs: an Application is synced at once. */
async function whileArgoSyncs(meanwhile: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const status = { sync: { status: 'Synced' }, health: { status: 'Healthy' } };
  const sync = async (site: string): Promise<void> => {
    const kube = stack.site(site);
    const found = await kube.get<KubeObject & { status?: { health?: object } }>(APPLICATION, APP);
    if (found !== null && found.status?.health === undefined) await kube.patch(APPLICATION, APP, { status });
  };
  const syncing = stack.sites.map(async (site) => {
    while (!ended.signal.aborted) {
      // It may be deleted between the two requests.
      await sync(site).catch(() => undefined);
      await pause(WAIT.everyMs);
    }
  });
  await meanwhile().finally(() => ended.abort());
  await Promise.all(syncing);
}

/** The Capp is Ready on this site, and nothing of it is on the other. */
const untilCappOn = (site: string): Promise<unknown> =>
  eventually(async () => {
    expect(siteOf(await untilReady(stack.hub, capp))).toBe(site);
    expect(await stack.site(otherSite(stack, site)).get(CAPP, capp)).toBeNull();
    return true;
  }, WAIT);

/** The one site that has the Application, once the Bundle is Ready. */
const untilOnOneSite = (): Promise<string> =>
  eventually(async () => {
    await untilBundle(stack.hub, APP, 'Ready');
    const found = await Promise.all(
      stack.sites.map(async (site) =>
        (await stack.site(site).get(APPLICATION, APP)) === null ? [] : [site],
      ),
    );
    const [site, ...others] = found.flat();
    return others.length === 0 ? site : undefined;
  }, WAIT);

/** Both are on this site, and nothing of them is on the other. */
async function untilOn(site: string): Promise<void> {
  await untilCappOn(site);
  await eventually(async () => {
    expect(await untilOnOneSite()).toBe(site);
    return true;
  }, WAIT);
}

/** Since when OCM says that the site is lost. */
const lostSince = (site: string): Promise<number> =>
  eventually(async () => {
    const cluster = await stack.hub.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: site });
    const taint = cluster?.spec?.taints?.find(({ key }) => key === UNREACHABLE) as
      | { timeAdded?: string }
      | undefined;
    return taint?.timeAdded === undefined ? undefined : Date.parse(taint.timeAdded);
  }, WAIT);

/** When the Application was created on this site, in milliseconds since the epoch. */
const broughtTo = (site: string): Promise<number> =>
  eventually(async () => {
    const found = await stack.site(site).get<KubeObject>(APPLICATION, APP);
    return Date.parse(found?.metadata.creationTimestamp ?? '') || undefined;
  }, WAIT);

test("OCM's seventh scenario: what is on a lost site stays for its toleration and then moves, and a taint by hand moves it at once", async () => {
  await applyThePage();
  await createCapp(stack.hub, { ...capp, spec: { migration: { cooldownSeconds: 0 } } });
  await whileArgoSyncs(async () => {
    const home = siteOf(await untilReady(stack.hub, capp));
    await untilOn(home);
    const target = otherSite(stack, home);
    await whileUnreachable(stack, home, async () => {
      const since = await lostSince(home);
      const tolerated = since + (TOLERATED_SECONDS - 1) * 1_000;
      await eventually(
        async () => (siteOf(await readCapp(stack.hub, capp)) === target ? true : undefined),
        WAIT,
      );
      // OCM keeps times of whole seconds.
      expect(Date.now()).toBeGreaterThanOrEqual(tolerated);
      expect(await broughtTo(target)).toBeGreaterThanOrEqual(tolerated);
    });
    await untilAvailable(stack, home);
    await untilCappOn(target);
    // The Application is on one site again: OCM may choose the first one now that it is back.
    await untilOnOneSite();

    await whileTainted(stack, target, () => untilOn(home));
    await whileTainted(stack, home, () => untilOn(target));
    await stack.hub.remove(CAPP, capp);
    await untilGone(stack.hub, capp);
    await stack.hub.remove(BUNDLE, APP);
    await untilBundleGone(stack.hub, APP);
  });
}, 900_000);
