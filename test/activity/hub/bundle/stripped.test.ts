// A site takes the labels of a Bundle off the works in its namespace, on a real API server.
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { BUNDLE_KEY, MANAGED_BY } from '../../../../crds/labels.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { bundleHub, sameClusters } from '../../../support/testbeds/fleet/bundle-hub.ts';
import { aConfigMap } from '../../../support/builders/fleet/bundles.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
const SITES = ['site-1', 'site-2'] as const;
beforeAll(async () => {
  stage = await startHub();
  await joinSites(stage, SITES);
  await sameClusters(stage);
}, 300_000);
afterAll(() => stage?.stop());

async function onBoth(name: string) {
  const hub = bundleHub(stage, name);
  // Nobody else has it.
  const manifests = [aConfigMap({ color: 'red' }, name)];
  await hub.make({ sites: { clusters: [...SITES] }, manifests, strategy: { maxConcurrent: '100%' } });
  await hub.turn();
  await hub.apply(...SITES);
  await hub.turn();
  const strip = () =>
    stage.kube.patch(
      MANIFEST_WORK,
      { namespace: 'site-1', name: bundleWorkName({ namespace: APPS, name }) },
      { metadata: { labels: null } },
    );
  return { hub, strip };
}

test('a work that has lost its labels counts as it is, and gets them again without a change on its site', async () => {
  const { hub, strip } = await onBoth('stripped');
  expect(await hub.condition('Ready')).toMatchObject({ status: 'True' });
  const before = await hub.work('site-1');
  await strip();
  await hub.turn();
  const after = await hub.work('site-1');
  expect(after?.metadata.labels).toEqual(before?.metadata.labels);
  expect(after?.metadata.labels?.[MANAGED_BY]).toBeDefined();
  expect(after?.metadata).toMatchObject({
    uid: before?.metadata.uid,
    generation: before?.metadata.generation,
  });
  expect(after?.spec).toEqual(before?.spec);
  expect(await hub.condition('Ready')).toMatchObject({ status: 'True' });
  await hub.turn();
  expect((await hub.work('site-1'))?.metadata.resourceVersion).toBe(after?.metadata.resourceVersion);
});

test('the finalizer of a Bundle stays until the work that has lost its labels is gone', async () => {
  const { hub, strip } = await onBoth('parting');
  const key = { namespace: APPS, name: 'parting' };
  await stage.kube.remove(BUNDLE, key);
  await strip();
  expect(await hub.lastTurns()).toMatchObject({ outcome: 'Turned' });
  expect((await hub.read()).status?.leaving).toHaveLength(2);
  const going = await hub.work('site-1');
  expect(going?.metadata.labels?.[BUNDLE_KEY]).toBeUndefined();
  expect(going?.metadata.deletionTimestamp).toBeDefined();
  expect((await stage.kube.get<Bundle>(BUNDLE, key))?.metadata.finalizers).not.toEqual([]);
  for (const namespace of SITES)
    await stage.kube.patch(
      MANIFEST_WORK,
      { namespace, name: bundleWorkName(key) },
      { metadata: { finalizers: null } },
    );
  expect(await hub.lastTurns()).toMatchObject({ outcome: 'Gone' });
  expect(await stage.kube.get(BUNDLE, key)).toBeNull();
});
