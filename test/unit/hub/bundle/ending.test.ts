// The turn of a Bundle that is being deleted: before a work goes, its site is told what is to stay there.
import { jest } from '@jest/globals';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { CHECKS_OF } from '../../../../crds/labels.ts';
import { checkWorkName } from '../../../../crds/ocm/check-work.ts';
import { AVAILABLE, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { aBundle, aConfigMap, reportedWork } from '../../../support/builders/fleet/bundles.ts';
import { turningBundles } from '../../../support/testbeds/fleet/turning.ts';

const GOING = { deletionTimestamp: '2026-03-01T12:00:00Z', resourceVersion: '1' };
const REF = { kind: 'Bundle', namespace: 'apps', name: 'base' } as const;

/** What a turn writes and deletes, where another Bundle has the same object, or nobody has. */
async function turnOf({
  onRemoval = 'Delete',
  isShared = false,
  wasOrphaning = false,
  isOfChecks = false,
}): Promise<readonly string[]> {
  const bundle = aBundle({ onRemoval, manifests: [aConfigMap()] }, GOING);
  const { metadata, ...rest } = reportedWork(
    wasOrphaning ? aBundle({ onRemoval: 'Orphan', manifests: [aConfigMap()] }) : aBundle(),
  );
  const checking = { name: checkWorkName(REF), labels: { ...metadata.labels, [CHECKS_OF]: 'base' } };
  const named = { ...metadata, ...(isOfChecks ? checking : {}) };
  const work: ManifestWork = { ...rest, metadata: { ...named, uid: 'work', resourceVersion: '7' } };
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
    create: async (_kind: Resource, { reason }: { readonly reason: string }) => done.push(reason),
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
    works: { ...none, by: (index: string) => (index === 'bundle' ? [own, ...others] : []) },
    checkWorks: none,
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

test('of the Jobs that have checked it nothing stays', async () => {
  expect(await turnOf({ onRemoval: 'Orphan', isOfChecks: true })).toEqual(['delete ManifestWork']);
});

test('of what its site keeps, since nobody has told it otherwise, an event says so before its work goes', async () => {
  expect(await turnOf({ wasOrphaning: true })).toEqual(['StaysOnSite', 'delete ManifestWork']);
});

test.each([
  ['the cache of Bundles has', 7, 6],
  ['any cache of works has', 6, 6],
])('a turn whose ring says more of works than %s seen waits for that cache', async (_which, all, few) => {
  jest.useFakeTimers();
  try {
    const cacheAt = (version: number) => ({
      caughtUpWith: (wanted: string) => version >= Number(wanted),
      by: (index: string) => (index === 'bundle' ? [copyAt(version)] : []),
      onSeen: () => () => undefined,
      onProblemChanged: () => () => undefined,
      problem: () => null,
    });
    const kube = { within: () => kube };
    const caches = { works: cacheAt(all), bundleWorks: cacheAt(few), checkWorks: cacheAt(all) };
    const ask = { memory: null, minimumVersions: { ManifestWork: '7' }, most: 100, isAgain: false };
    const turned = turningBundles({ kube, caches, events: {} } as never).turnFleet(REF, ask);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await turned).toEqual({ outcome: 'Behind' });
    // The workflow names no version once it has waited long enough: then nothing is waited for.
    const reads = { ...kube, get: () => Promise.reject(new Error('The turn has begun.')) };
    const late = turningBundles({ kube: { within: () => reads }, caches, events: {} } as never);
    await expect(late.turnFleet(REF, { ...ask, minimumVersions: {} })).rejects.toThrow('The turn has begun.');
  } finally {
    jest.useRealTimers();
  }
});

function copyAt(version: number): KubeObject {
  const { metadata } = reportedWork(aBundle());
  return { metadata: { ...metadata, resourceVersion: String(version) } };
}
