// The turn of a Bundle that is being deleted: before a work goes, its site is told what is to stay there.
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { AVAILABLE, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Resource } from '../../../../kube/resource.ts';
import { aBundle, aConfigMap, reportedWork } from '../../../support/builders/fleet/bundles.ts';
import { turningBundles } from '../../../support/testbeds/fleet/turning.ts';

const GOING = { deletionTimestamp: '2026-03-01T12:00:00Z', resourceVersion: '1' };
const REF = { kind: 'Bundle', namespace: 'apps', name: 'base' } as const;

/** What a turn writes and deletes, where another Bundle has the same object, or nobody has. */
async function turnOf({ onRemoval = 'Delete', isShared = false }): Promise<readonly string[]> {
  const bundle = aBundle({ onRemoval, manifests: [aConfigMap()] }, GOING);
  const { metadata, ...rest } = reportedWork(aBundle());
  const work: ManifestWork = { ...rest, metadata: { ...metadata, uid: 'work', resourceVersion: '7' } };
  const heir = reportedWork(aBundle({}, { name: 'heir' }));
  const [own, ...others] = [work, ...(isShared ? [heir] : [])].map((one) => seenWork(one as never));
  const cluster = {
    metadata: { name: 'site-1' },
    status: { conditions: [{ type: AVAILABLE, status: 'True' }] },
  };
  const done: string[] = [];
  const kube = {
    within: () => kube,
    get: async ({ kind }: Resource) =>
      kind === 'Bundle'
        ? bundle
        : kind === 'ManifestWork'
          ? work
          : kind === 'ManagedCluster'
            ? cluster
            : null,
    getMetadata: async () => bundle,
    list: async () => ({ items: [work] }),
    patch: async (_kind: Resource, _key: unknown, { spec }: ManifestWork) =>
      done.push(
        spec?.deleteOption?.propagationPolicy ??
          JSON.stringify(spec?.workload.manifests?.[0]?.data ?? 'bare'),
      ),
    remove: async ({ kind }: Resource) => done.push(`delete ${kind}`) > 0,
    apply: async () => bundle,
  };
  const none = { get: () => undefined, list: () => [], by: () => [], caughtUpWith: () => true };
  const caches = {
    works: none,
    clusters: { ...none, get: () => cluster },
    bundleWorks: { ...none, get: () => own, by: () => [own, ...others] },
  };
  const parts = { kube, caches, events: { note: () => undefined } } as never;
  const ask = { memory: null, minimumVersions: {}, most: 100, isAgain: false };
  const turned = await turningBundles(parts).turnFleet(REF, ask);
  expect(turned.outcome).toBe('Turned');
  return done;
}

test('its work goes at once where nothing is to stay', async () => {
  expect(await turnOf({})).toEqual(['delete ManifestWork']);
});

test('its work lets go first of what another Bundle keeps on the site, which would be deleted with it', async () => {
  expect(await turnOf({ isShared: true })).toEqual(['"bare"']);
});

test('its work is told first that all of it stays', async () => {
  expect(await turnOf({ onRemoval: 'Orphan', isShared: true })).toEqual(['Orphan']);
});
