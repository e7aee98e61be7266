// What becomes of a Bundle whose works the hub does not let go: the other sites go on, and its status says
// so.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import { MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import { aConfigMap } from '../../../support/builders/fleet/bundles.ts';
import { startFaultProxy, type FaultProxy } from '../../../support/servers/network/fault-proxy.ts';
import { beforeRemoval } from '../../../support/testbeds/fleet/before-removal.ts';
import { bundleHub, sameClusters } from '../../../support/testbeds/fleet/bundle-hub.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

const SITES = ['site-1', 'site-2'] as const;

let stage: HubForTests;
let proxy: FaultProxy;
let mortal: Kube;
beforeAll(async () => {
  stage = await startHub();
  proxy = await startFaultProxy(stage.kubeconfig);
  mortal = connect({ kubeconfig: proxy.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await joinSites(stage, SITES);
  await sameClusters(stage);
}, 300_000);
afterAll(async () => {
  await mortal?.close();
  await proxy?.stop();
  await stage?.stop();
});

test('a work whose deletion is refused keeps no other site from an edit, and is deleted when the hub allows it', async () => {
  const hub = bundleHub({ ...stage, kube: mortal }, 'stuck');
  await hub.make({ sites: { clusters: [...SITES] }, strategy: { maxConcurrent: '100%' } });
  await hub.turn();
  await hub.apply(...SITES);
  await hub.turn();
  proxy.fault(({ method }) => (method === 'DELETE' ? { answer: 403 } : undefined));
  try {
    await hub.edit({ sites: { clusters: ['site-1'] }, manifests: [aConfigMap({ color: 'blue' })] });
    await hub.turn();
    expect(await hub.colors('site-1')).toEqual(['blue']);
    await hub.apply('site-1');
    const { wakeAt } = await hub.turn();
    expect(wakeAt).not.toBeNull();
    expect(await hub.condition('Ready')).toMatchObject({ status: 'True' });
    expect(await hub.condition('Stalled')).toMatchObject({ status: 'True', reason: 'RemovalRefused' });
    expect((await hub.work('site-2'))?.metadata.deletionTimestamp).toBeUndefined();
  } finally {
    proxy.fault(() => undefined);
  }
  await hub.turn();
  const left = await hub.work('site-2');
  expect(left === null || left.metadata.deletionTimestamp !== undefined).toBe(true);
  expect(await hub.condition('Stalled')).toMatchObject({ status: 'False' });
}, 300_000);

test('of a deleted Bundle whose work the hub does not let go, the others go, and its status says what stays and why', async () => {
  const hub = bundleHub({ ...stage, kube: mortal }, 'ending');
  // Nobody else has it.
  const manifests = [aConfigMap({ color: 'red' }, 'ending')];
  await hub.make({ sites: { clusters: [...SITES] }, manifests, strategy: { maxConcurrent: '100%' } });
  await hub.turn();
  await hub.apply(...SITES);
  await hub.turn();
  await stage.kube.remove(BUNDLE, { namespace: 'apps', name: 'ending' });
  proxy.fault(({ method, path }) =>
    method === 'DELETE' && path.includes('/namespaces/site-2/') ? { answer: 403 } : undefined,
  );
  try {
    const turned = await hub.lastTurns();
    expect(turned).toMatchObject({ outcome: 'Turned', isMore: false });
    const first = await hub.work('site-1');
    expect(first === null || first.metadata.deletionTimestamp !== undefined).toBe(true);
    expect(await hub.condition('Stalled')).toMatchObject({
      status: 'True',
      reason: 'RemovalRefused',
      message: expect.stringMatching(/1 of its works cannot be deleted: the hub refuses that for site-2 /),
    });
  } finally {
    proxy.fault(() => undefined);
  }
  await hub.lastTurns();
  expect(await hub.condition('Ready')).toMatchObject({ reason: 'Leaving' });
  const second = await hub.work('site-2');
  expect(second === null || second.metadata.deletionTimestamp !== undefined).toBe(true);
}, 300_000);

test('a work that becomes ready between the look and its deletion stays, since no other of the Bundle is ready', async () => {
  const spec = { sites: { clusters: [...SITES] }, strategy: { maxConcurrent: '100%' } };
  const manifests = [aConfigMap({ color: 'red' }, 'late')];
  const before = bundleHub(stage, 'late');
  await before.make({ ...spec, manifests });
  await before.turn();
  let isReady = false;
  const raced = bundleHub(
    beforeRemoval(stage, MANIFEST_WORK, async () => {
      isReady = true;
      await before.apply('site-2');
    }),
    'late',
  );
  await before.edit({ sites: { clusters: ['site-1'] } });
  await raced.turn();
  // A work that no work agent has reported on is not deleted for a while.
  await before.refuse('site-2');
  await raced.turn();
  expect(isReady).toBe(true);
  expect((await before.work('site-2'))?.metadata.deletionTimestamp).toBeUndefined();
});
