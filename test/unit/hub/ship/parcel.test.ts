// One shipment becomes one work: what is written at once, what is waited for, and what a later try makes up
// for.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { shipTo } from '../../../../activities/hub/ship/parcel.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { FINALIZER, HAS_PLACEMENT } from '../../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aState } from '../../../support/builders/states.ts';

const CONFLICT = new ApiError({ method: 'PATCH', path: '/', code: 409, reason: 'Conflict' });

function aHeldCapp(): Capp {
  const capp = aCapp();
  return { ...capp, metadata: { ...capp.metadata, finalizers: [FINALIZER] } };
}

const parcelFor = (capp: Capp, live: ManifestWork | null) => ({
  claim: { namespace: 'apps', name: 'app', site: null, rivals: [] },
  cluster: 'site-1',
  shipment: { capp, configMaps: [], secrets: [], logReaders: [] },
  site: 'site-1',
  live,
  isDoubled: false,
  remember: async () => undefined,
});

test.each([
  ['is made after its site is noted on the Capp', aHeldCapp(), [CAPP.kind, MANIFEST_WORK.kind]],
  ['is not made if its site cannot be noted', CONFLICT, [CAPP.kind]],
])('a work whose name another Capp may have, too, %s', async (_title, noted, wanted) => {
  const asked: string[] = [];
  const kube = {
    create: async ({ kind }: Resource, work: ManifestWork) => {
      asked.push(kind);
      return work;
    },
    patch: async ({ kind }: Resource) => {
      if (!asked.includes(MANIFEST_WORK.kind)) asked.push(kind);
      await new Promise((resolve) => void setImmediate(resolve));
      if (noted instanceof ApiError) throw noted;
      return noted;
    },
  } as unknown as Kube;
  const parcel = parcelFor(aHeldCapp(), null);
  const claim = { ...parcel.claim, rivals: ['site-2'] };
  const shipped: unknown = await shipTo(kube, { ...parcel, claim }).catch((error: unknown) => error);
  if (noted instanceof ApiError) expect(shipped).toBe(noted);
  else expect(shipped).toMatchObject({ created: true });
  expect(asked).toEqual(wanted);
});

test('a new work is written before anything is said of it, and a try fails only when all that has ended', async () => {
  const asked: string[] = [];
  const kept = Promise.withResolvers<void>();
  const kube = {
    create: async ({ kind }: Resource, work: ManifestWork) => {
      await Promise.resolve();
      asked.push(kind);
      return work;
    },
    patch: ({ kind }: Resource) => {
      asked.push(kind);
      return Promise.reject(CONFLICT);
    },
  } as unknown as Kube;
  const remember = (isThere: boolean): Promise<void> => {
    asked.push(`history ${isThere}`);
    return kept.promise;
  };
  let hasEnded = false;
  const shipping = shipTo(kube, { ...parcelFor(aHeldCapp(), null), remember }).catch((error: unknown) => {
    hasEnded = true;
    return error;
  });
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  expect(asked).toEqual([MANIFEST_WORK.kind, CAPP.kind, 'history false']);
  expect(hasEnded).toBe(false);
  kept.resolve();
  expect(await shipping).toBe(CONFLICT);
});

test('a try that finds the work of an earlier one keeps it in the history, which that may not have done', async () => {
  const kube = {
    create: async (_kind: Resource, work: ManifestWork) => work,
    patch: async () => aHeldCapp(),
  } as unknown as Kube;
  const parcel = parcelFor(aHeldCapp(), null);
  const unkept = new ApiError({ method: 'POST', path: '/', code: 503, reason: '' });
  let made: ManifestWork | null = null;
  const creating = {
    ...kube,
    create: async (_kind: Resource, work: ManifestWork) => (made = work),
  } as unknown as Kube;
  const failing = { ...parcel, remember: () => Promise.reject(unkept) };
  await expect(shipTo(creating, failing)).rejects.toBe(unkept);
  const remembered: boolean[] = [];
  const remember = async (isThere: boolean): Promise<void> => void remembered.push(isThere);
  await shipTo(kube, { ...parcel, live: made, remember });
  expect(remembered).toEqual([true]);
});

test('a try that finds the work of an earlier one notes the site on the Capp, which that may not have done', async () => {
  const patched: (readonly [string, unknown])[] = [];
  const kube = {
    create: async (_kind: Resource, work: ManifestWork) => work,
    patch: async ({ kind }: Resource, _key: unknown, body: KubeObject) => {
      patched.push([kind, body.metadata.annotations?.[HAS_PLACEMENT]]);
      return aHeldCapp();
    },
  } as unknown as Kube;
  const capp = aHeldCapp();
  const first = await shipTo(kube, parcelFor(capp, null));
  if (!('work' in first)) throw new Error('Nothing was shipped.');
  patched.length = 0;
  const again = await shipTo(kube, parcelFor(capp, first.work));
  expect(again).toMatchObject({ created: false, written: false });
  expect(patched).toEqual([[CAPP.kind, 'site-1']]);
});

test.each([
  ['of this Capp is enough to ship nothing', 'uid-1', 0],
  ['of an earlier Capp of that name says nothing: the Capp is read', 'of-an-earlier-one', 1],
])('a deletion that a cache knows %s', async (_title, uid, reads) => {
  const read: Resource[] = [];
  const kube = {
    get: async (kind: Resource) => {
      read.push(kind);
      return null;
    },
    within: () => kube,
  } as unknown as Kube;
  const { metadata } = aCapp();
  const known = { ...aCapp(), metadata: { ...metadata, uid, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const caches = { capps: { get: () => known, by: () => [] }, works: { by: () => [] } };
  const { apply } = hubApply({ kube, caches } as unknown as Parameters<typeof hubApply>[0]);
  const ref = { namespace: 'apps', name: 'app', uid: 'uid-1' };
  expect(await apply(ref, 'site-1', aState({}), null)).toEqual({ outcome: 'Deleted' });
  expect(read.filter(({ kind }) => kind === CAPP.kind)).toHaveLength(reads);
});
