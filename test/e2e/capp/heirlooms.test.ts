// Works that rcs-ocm-deployer has left are adopted as they are.
import { CAPP } from '../../../crds/capp/capp.ts';
import { CONFIG_MAP } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import { CAPP_KEY, ROLLOUT } from '../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { hashedWorkName, workName } from '../../../crds/ocm/work-identity.ts';
import { newNamespace, readCapp, siteOf, untilGone, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { goCapp, goWork } from '../../support/builders/manifests/go-operator.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

let stack: TestbedStack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());

describe('a work of the Go operator', () => {
  const key = { namespace: '', name: 'heirloom' };
  const work = { namespace: 'site-1', name: '' };
  const theirs = { namespace: '', name: 'theirs' };
  const workNow = async () => stack.hub.get<ManifestWork>(MANIFEST_WORK, work);
  const serviceNow = async () =>
    (await stack.site('site-1').get<KnativeService>(KNATIVE_SERVICE, key))?.metadata;

  beforeAll(async () => {
    key.namespace = await newNamespace(stack.hub, 'heirs');
    theirs.namespace = key.namespace;
    work.name = workName(key.namespace, key.name);
    await stack.hub.create<ManifestWork>(MANIFEST_WORK, await goWork(key, 'site-1', '200Mi'));
    await eventually(async () => ((await serviceNow()) === undefined ? undefined : true), {
      withinMs: 180_000,
    });
    await stack.site('site-1').create(CONFIG_MAP, { metadata: theirs });
  });

  test('is adopted unchanged, and its site does not change', async () => {
    const [before, service] = [await workNow(), await serviceNow()];
    await goCapp(stack.hub, await goWork(key, 'site-1', '200Mi'));
    expect(siteOf(await untilReady(stack.hub, key))).toBe('site-1');
    const after = await workNow();
    expect([after?.metadata.uid, after?.spec]).toEqual([before?.metadata.uid, before?.spec]);
    expect(after?.metadata.labels?.[CAPP_KEY]).toBeDefined();
    expect(await serviceNow()).toMatchObject({ uid: service?.uid, generation: service?.generation });
    expect((await readCapp(stack.site('site-1'), key)).metadata.annotations?.[ROLLOUT]).toBeUndefined();
    expect(
      await stack.hub.get(MANIFEST_WORK, { ...work, name: hashedWorkName(key.namespace, key.name) }),
    ).toBeNull();
  });

  test('is updated in place when the spec changes', async () => {
    const before = await workNow();
    await stack.hub.patch(CAPP, key, { spec: { scaleMetric: 'rps' } });
    await untilReady(stack.hub, key);
    const after = await workNow();
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect((await readCapp(stack.site('site-1'), key)).metadata.annotations?.[ROLLOUT]).toBeDefined();
  });

  test('is deleted with its Capp, without the objects of others', async () => {
    const early = { ...key, name: 'early' };
    await stack.hub.create<ManifestWork>(MANIFEST_WORK, await goWork(early, 'site-1', '200Mi'));
    await goCapp(stack.hub, await goWork(early, 'site-1', '200Mi'));
    await untilReady(stack.hub, early);
    for (const one of [early, key]) {
      await stack.hub.remove(CAPP, one);
      await untilGone(stack.hub, one);
      expect(await stack.site('site-1').get(CAPP, one)).toBeNull();
      expect(
        await stack.hub.get(MANIFEST_WORK, { ...work, name: workName(one.namespace, one.name) }),
      ).toBeNull();
    }
    expect((await stack.site('site-1').get(CONFIG_MAP, theirs))?.metadata.deletionTimestamp).toBeUndefined();
    expect(await stack.site('site-1').get(CONFIG_MAP, theirs)).not.toBeNull();
  });
});
