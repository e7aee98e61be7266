// A site writes more depth into its work of a Bundle than a stack bears, on a real API server, which takes
// it.
import { canonical } from '../../../../crds/digest.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { pathOf } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aConfigMap } from '../../../support/builders/fleet/bundles.ts';
import { bundleHub, sameClusters } from '../../../support/testbeds/fleet/bundle-hub.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';

let stage: HubForTests;
const SITES = ['site-1', 'site-2'] as const;
beforeAll(async () => {
  stage = await startHub();
  await joinSites(stage, SITES);
  await sameClusters(stage);
}, 300_000);
afterAll(() => stage?.stop());

/** As much as one request of ours can bring, and how often a site brings it: an API server takes 10,000. */
const [STEP, STEPS] = [3_000, 3];

/** By JSON patches: each puts as much under what is there. */
async function deepen(namespace: string, name: string): Promise<void> {
  const path = pathOf(MANIFEST_WORK, { namespace, name });
  const value = JSON.parse('{"a":'.repeat(STEP) + '1' + '}'.repeat(STEP)) as unknown;
  for (let step = 0; step < STEPS; step += 1) {
    const place = `/spec/workload/manifests/0/deep${'/a'.repeat(step * STEP)}`;
    const body = [{ op: 'add', path: place, value }];
    await stage.kube.raw('PATCH', path, { body, contentType: 'application/json-patch+json' });
  }
}

test('a work that is deeper than a stack bears keeps nobody from the others, and is written again', async () => {
  const hub = bundleHub(stage, 'deep');
  const manifests = [aConfigMap({ color: 'red' }, 'deep')];
  await hub.make({ sites: { clusters: [...SITES] }, manifests, strategy: { maxConcurrent: '100%' } });
  await hub.turn();
  await hub.apply(...SITES);
  await hub.turn();
  const key = { namespace: 'site-1', name: bundleWorkName({ namespace: APPS, name: 'deep' }) };
  const whole = (await hub.work('site-1'))?.spec;
  await deepen(key.namespace, key.name);
  // The caches go on, at what is newer than that as well.
  const other = { ...key, namespace: 'site-2' };
  const later = await stage.kube.patch<ManifestWork>(MANIFEST_WORK, other, {
    metadata: { annotations: { later: 'yes' } },
  });
  await eventually(() => {
    expect(stage.caches.bundleWorks.get(key)?.seen.revision).toBeNull();
    const { resourceVersion } = stage.caches.bundleWorks.get(other)?.metadata ?? {};
    expect(resourceVersion).toBe(later.metadata.resourceVersion);
    return true;
  });
  await hub.turn();
  expect(canonical((await hub.work('site-1'))?.spec)).toBe(canonical(whole));
  await hub.apply(...SITES);
  await hub.turn();
  expect(await hub.condition('Ready')).toMatchObject({ status: 'True' });
});
