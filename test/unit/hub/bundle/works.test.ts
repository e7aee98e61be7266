// Which works count as those of a Bundle: somebody's own work with the name of one is neither read as a copy
// nor deleted or labelled.
import {
  cachedWorks,
  liveMetadata,
  liveWorks,
  mendLabels,
  type WorkCaches,
} from '../../../../activities/hub/bundle/works.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { BUNDLE_KEY, BUNDLE_NAME, BUNDLE_NAMESPACE } from '../../../../crds/labels.ts';
import { bundleKey, bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Key } from '../../../../kube/resource.ts';
import { aBundle } from '../../../support/builders/fleet/bundles.ts';

const REF = { namespace: 'apps', name: 'base' };
const LABELLED = { labels: { [BUNDLE_KEY]: bundleKey(REF) } };
/** Its site has taken the labels off. */
const STRIPPED = { annotations: { [BUNDLE_NAME]: REF.name, [BUNDLE_NAMESPACE]: REF.namespace } };

const workOn = (cluster: string, metadata: object = {}): ManifestWork => ({
  metadata: {
    namespace: cluster,
    name: bundleWorkName(REF),
    uid: cluster,
    resourceVersion: '7',
    ...metadata,
  },
});
const own = workOn('own', LABELLED);
const stripped = workOn('stripped', STRIPPED);
const theirs = workOn('theirs');
const clustersOf = (all: readonly { metadata: { namespace?: string } }[]) =>
  all.map(({ metadata }) => metadata.namespace);

test('of all works by the name a list has those that bear something of the Bundle', async () => {
  const kube = { list: async () => ({ items: [own, theirs, stripped] }) } as unknown as Kube;
  expect(clustersOf(await liveMetadata(kube, REF))).toEqual(['own', 'stripped']);
  expect(clustersOf(await liveWorks(kube, REF))).toEqual(['own', 'stripped']);
});

/** By the cache of works with our label, and by that of all others, as each may be a moment old. */
function cachesOf(labelled: readonly ManifestWork[], others: readonly ManifestWork[]): WorkCaches {
  return {
    bundleWorks: { by: () => labelled.map((work) => seenWork(work as never)) },
    works: { by: () => others },
  } as unknown as WorkCaches;
}

test('the caches give each work of the Bundle once, and read those that have lost the label', async () => {
  const read: string[] = [];
  const now = new Map([own, stripped].map((work) => [work.metadata.namespace, work]));
  const get = async (_kind: unknown, { namespace = '' }: { namespace?: string }) => {
    read.push(namespace);
    return now.get(namespace) ?? null;
  };
  const caches = cachesOf([own, theirs], [own, stripped, theirs, workOn('gone', STRIPPED)]);
  const found = await cachedWorks({ get } as unknown as Kube, caches, REF);
  expect(clustersOf(found)).toEqual(['own', 'stripped']);
  expect(read).toEqual(['stripped', 'gone']);
});

test('somebody else’s work that has come in place of one without the label is not counted', async () => {
  const kube = { get: async () => workOn('stripped') } as unknown as Kube;
  expect(await cachedWorks(kube, cachesOf([], [stripped]), REF)).toEqual([]);
});

test('labels are put back as the work was read, and on none that is being deleted or has them', async () => {
  const patched: unknown[] = [];
  const kube = {
    patch: async (_kind: unknown, { namespace }: Key, { metadata }: ManifestWork) =>
      patched.push([namespace, metadata.uid, metadata.resourceVersion, metadata.labels?.[BUNDLE_KEY]]),
  } as unknown as Kube;
  const going = workOn('going', { ...STRIPPED, deletionTimestamp: '2026-03-01T12:00:00Z' });
  const works = [own, stripped, going].map((work) => seenWork(work as never));
  await mendLabels(kube, aBundle(), works);
  expect(patched).toEqual([['stripped', 'stripped', '7', bundleKey(REF)]]);
});
