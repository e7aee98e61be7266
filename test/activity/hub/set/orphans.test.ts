// A CappSet and a Bundle that were deleted with --cascade=orphan although no policy refused that: nothing is
// deleted as long as their finalizer says so. No garbage collector runs here, so the test does what it would.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { bundleHub, sameClusters } from '../../../support/testbeds/fleet/bundle-hub.ts';
import { acceptSites, beginSet, childrenOn, setOn } from '../../../support/testbeds/fleet/looker.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

const SITES = ['site-1', 'site-2'];

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await acceptSites(stage, SITES);
  await sameClusters(stage);
}, 300_000);
afterAll(() => stage?.stop());

function orphan({ kube }: { readonly kube: Kube }, resource: Resource, name: string): Promise<unknown> {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan' };
  return kube.raw('DELETE', `/apis/${resource.apiVersion}/namespaces/${APPS}/${resource.plural}/${name}`, {
    body,
  });
}

async function collected({ kube }: { readonly kube: Kube }, resource: Resource, name: string): Promise<void> {
  const key = { namespace: APPS, name };
  const found = await kube.get<KubeObject>(resource, key);
  const finalizers = (found?.metadata.finalizers ?? []).filter((one) => one !== 'orphan');
  await kube.patch(resource, key, { metadata: { finalizers } });
}

test('a set that is to leave its Capps behind deletes none of them, says so, and goes when they are no longer its own', async () => {
  const looker = await beginSet(stage, 'kept', {
    sites: { clusters: SITES },
    strategy: { maxConcurrent: '100%' },
  });
  await looker.look();
  await orphan(stage, CAPP_SET, 'kept');
  await looker.look();
  const going = async () =>
    (await childrenOn(stage, 'kept')).map(({ metadata }) => metadata.deletionTimestamp ?? null);
  expect(await going()).toEqual([null, null]);
  expect((await setOn(stage, 'kept')).status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'Stalled',
      status: 'True',
      message: expect.stringMatching(/its 2 Capps stay.*ownerReference off them, and then finalizer orphan/),
    }),
  );
  for (const { metadata } of await childrenOn(stage, 'kept'))
    await stage.kube.patch(
      CAPP,
      { namespace: APPS, name: metadata.name },
      { metadata: { ownerReferences: null } },
    );
  await collected(stage, CAPP_SET, 'kept');
  await expect(looker.look()).rejects.toThrow(/Gone/);
  expect(await going()).toEqual([null, null]);
}, 120_000);

test('a Bundle that is to leave its works behind deletes none of them while its finalizer says so, and says so', async () => {
  const hub = bundleHub(stage, 'kept');
  await hub.make({ sites: { clusters: SITES }, strategy: { maxConcurrent: '100%' } });
  await hub.turn();
  await hub.apply(...SITES);
  await hub.turn();
  await orphan(stage, BUNDLE, 'kept');
  expect(await hub.lastTurns()).toMatchObject({ outcome: 'Turned' });
  expect((await hub.read()).status?.leaving).toHaveLength(2);
  for (const site of SITES) expect((await hub.work(site))?.metadata.deletionTimestamp).toBeUndefined();
  expect(await hub.condition('Stalled')).toMatchObject({
    status: 'True',
    message: expect.stringMatching(/no site is cleaned up before .* takes finalizer orphan off/),
  });
  await collected(stage, BUNDLE, 'kept');
  await hub.lastTurns();
  for (const site of SITES) {
    const left = await hub.work(site);
    expect(left === null || left.metadata.deletionTimestamp !== undefined).toBe(true);
  }
}, 120_000);
