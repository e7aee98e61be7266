// Of a deleted Bundle with many sites, those that are lost keep no other from being cleaned up.
import { retire, type HowToLeave } from '../../../../activities/hub/bundle/retire.ts';
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { ABANDON, BUNDLE_KEY, BUNDLE_NAME, BUNDLE_NAMESPACE } from '../../../../crds/labels.ts';
import { bundleKey, bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import type { Kube, ListOptions } from '../../../../kube/client.ts';
import type { Key, KubeObject, Resource } from '../../../../kube/resource.ts';

const REF = { namespace: 'platform', name: 'base', uid: 'uid-1' };
const GOING = '2026-03-01T12:00:00Z';

const siteAt = (index: number): string => `site-${String(index).padStart(3, '0')}`;
const bundle = (annotations: Record<string, string> = {}): Bundle =>
  ({
    ...BUNDLE,
    metadata: { ...REF, annotations, deletionTimestamp: GOING },
    spec: { onRemoval: 'Delete' },
  }) as unknown as Bundle;

function work(cluster: string, isGoing: boolean): KubeObject {
  const metadata = {
    namespace: cluster,
    name: bundleWorkName(REF),
    uid: `work-${cluster}`,
    labels: { [BUNDLE_KEY]: bundleKey(REF) },
    ...(isGoing ? { deletionTimestamp: GOING } : {}),
  };
  return { metadata, status: { conditions: [{ type: 'Applied', status: 'True' }] } } as unknown as KubeObject;
}

/** The first `lost` sites are unreachable and their works are being deleted; the others are well. */
function hubWith(lost: number, well: number, owner: Bundle) {
  const works = new Map(
    Array.from({ length: lost + well }, (_, index) => [siteAt(index), work(siteAt(index), index < lost)]),
  );
  const deleted: string[] = [];
  let reading = 0;
  let most = 0;
  const remove = (_resource: Resource, { namespace }: Key): Promise<void> => {
    deleted.push(namespace ?? '');
    return Promise.resolve();
  };
  const get = async (resource: Resource, { namespace, name }: Key): Promise<unknown> => {
    if (resource === MANIFEST_WORK) return works.get(namespace ?? '') ?? null;
    if (resource !== MANAGED_CLUSTER) return owner;
    reading += 1;
    most = Math.max(most, reading);
    await Promise.resolve();
    reading -= 1;
    const isLost = Number(name.slice(-3)) < lost;
    const facts = { reason: '', message: '', lastTransitionTime: GOING };
    const available = {
      type: 'ManagedClusterConditionAvailable',
      status: isLost ? 'Unknown' : 'True',
      ...facts,
    };
    return {
      metadata: { name },
      status: { conditions: [{ type: 'ManagedClusterJoined', status: 'True', ...facts }, available] },
    };
  };
  const kube = {
    list: () => Promise.resolve({ items: [...works.values()] }),
    getMetadata: () => Promise.resolve(owner),
    get,
    remove,
    patch: (_resource: Resource, { namespace }: Key) => {
      works.delete(namespace ?? '');
      return Promise.resolve({});
    },
    create: () => Promise.resolve({}),
  } as unknown as Kube;
  return { kube, deleted, most: () => most, works };
}

/** Nothing that another Bundle keeps. */
const KEEPS: HowToLeave = { letsGo: async () => 'Nothing', isUnanswered: () => false };

test('a work from which its site took the label is deleted before the Bundle goes', async () => {
  const owner = bundle();
  const { kube, deleted, works } = hubWith(0, 2, owner);
  const stripped = work(siteAt(1), false);
  const annotations = { [BUNDLE_NAME]: REF.name, [BUNDLE_NAMESPACE]: REF.namespace };
  works.set(siteAt(1), { ...stripped, metadata: { ...stripped.metadata, labels: {}, annotations } });
  const selecting = { ...kube, list: listing(works) } as unknown as Kube;
  const retired = await retire(selecting, REF, owner, KEEPS);
  expect(retired).toMatchObject({ outcome: 'Leaving', clusters: [siteAt(0), siteAt(1)] });
  expect(deleted).toEqual([siteAt(0), siteAt(1)]);
});

/** As an API server selects. */
function listing(works: ReadonlyMap<string, KubeObject>) {
  const selected = ({ metadata }: KubeObject, { labelSelector, fieldSelector }: ListOptions): boolean => {
    const [label = '', value] = (labelSelector ?? '').split('=');
    const isNamed = fieldSelector === undefined || fieldSelector === `metadata.name=${metadata.name}`;
    return isNamed && (labelSelector === undefined || metadata.labels?.[label] === value);
  };
  return async (_resource: Resource, options: ListOptions = {}) => ({
    items: [...works.values()].filter((one) => selected(one, options)),
  });
}

test('150 lost sites that come first keep no other site from being cleaned up', async () => {
  const { kube, deleted, most } = hubWith(150, 50, bundle());
  const retired = await retire(kube, REF, bundle(), KEEPS);
  expect(deleted.toSorted()).toEqual(Array.from({ length: 50 }, (_, index) => siteAt(150 + index)));
  expect(retired).toMatchObject({ outcome: 'Leaving', isPending: false });
  expect(most()).toBeLessThanOrEqual(20);
});

test('more sites than a turn begins with are begun in the next turn', async () => {
  const { kube, deleted } = hubWith(0, 130, bundle());
  expect(await retire(kube, REF, bundle(), KEEPS)).toMatchObject({ outcome: 'Leaving', isMore: true });
  expect(deleted).toHaveLength(100);
});

const isOfFirst = ({ metadata: { namespace = '' } }: KubeObject): boolean =>
  Number(namespace.slice(-3)) < 120;

test('120 sites that are told and do not answer keep no other site from being cleaned up, and have no turn follow at once', async () => {
  const owner = bundle();
  const { kube, deleted } = hubWith(0, 150, owner);
  const silent: HowToLeave = {
    letsGo: async (work) => (isOfFirst(work) ? 'Unanswered' : 'Nothing'),
    isUnanswered: () => false,
  };
  const first = await retire(kube, REF, owner, silent);
  expect(deleted.toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => siteAt(120 + index)));
  expect(first).toMatchObject({ outcome: 'Leaving', isMore: false, isPending: false });
  expect(first).toHaveProperty('unanswered.length', 120);
});

test('a site of which the caches know that it has not answered is not asked again, and is told of', async () => {
  const owner = bundle();
  const { kube, deleted } = hubWith(0, 130, owner);
  const asked: string[] = [];
  const letsGo: HowToLeave['letsGo'] = async ({ metadata }) => {
    asked.push(metadata.namespace ?? '');
    return 'Nothing';
  };
  const retired = await retire(kube, REF, owner, { letsGo, isUnanswered: isOfFirst });
  expect([asked, deleted]).toEqual([asked.slice(-10), asked]);
  expect(retired).toMatchObject({
    isMore: false,
    unanswered: Array.from({ length: 120 }, (_, at) => siteAt(at)),
  });
});

test('more sites than a turn tells are told in the next turn', async () => {
  const { kube } = hubWith(0, 130, bundle());
  const letsGo: HowToLeave['letsGo'] = async () => 'Told';
  const retired = await retire(kube, REF, bundle(), { letsGo, isUnanswered: () => false });
  expect(retired).toMatchObject({ isMore: true });
  expect(retired).toHaveProperty('unanswered.length', 100);
});

test('the 150th lost site may be given up like the first', async () => {
  const owner = bundle({ [ABANDON]: `${siteAt(0)},${siteAt(149)}` });
  const { kube, works } = hubWith(150, 0, owner);
  const { outcome } = await retire(kube, REF, owner, KEEPS);
  expect([...works.keys()]).toEqual(Array.from({ length: 148 }, (_, index) => siteAt(index + 1)));
  expect(outcome).toBe('Leaving');
});

test('a site that can be reached is not given up, whoever names it: it cleans up first', async () => {
  const owner = bundle({ [ABANDON]: `${siteAt(0)},${siteAt(1)}` });
  const { kube, works, deleted } = hubWith(1, 1, owner);
  await retire(kube, REF, owner, KEEPS);
  expect([[...works.keys()], deleted]).toEqual([[siteAt(1)], [siteAt(1)]]);
});
