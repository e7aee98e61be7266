// What keeps a turn of a Bundle from writing or deleting a work that is not as it was seen, or is no work of
// the Bundle.
import { removeAll, shipAll, type Errand } from '../../../../activities/hub/bundle/ship.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { aBundle, aConfigMap, rendered, reportedWork } from '../../../support/builders/fleet/bundles.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const red = aBundle();
const blue = aBundle({ manifests: [aConfigMap({ color: 'blue' })] });
const wanted = rendered(blue).workOn('site-1', NOW);
const { metadata, ...rest } = reportedWork(red);
const live: ManifestWork = { ...rest, metadata: { ...metadata, uid: 'work', resourceVersion: '7' } };

/** An API server with that work, and what it was asked to write or delete, and on what conditions. */
function errandWith(work: ManifestWork | null, more: object = {}) {
  const done: unknown[] = [];
  const kube = {
    get: async () => work,
    create: async (_kind: unknown, given: ManifestWork) => (done.push('create'), given),
    patch: async (_kind: unknown, _key: unknown, given: ManifestWork) => {
      done.push([given.metadata.uid, given.metadata.resourceVersion, given.metadata.finalizers]);
      return given;
    },
    remove: async (_kind: unknown, _key: unknown, only: object) => done.push(only) > 0,
    ...more,
  };
  const errand = { kube, bundle: blue, isStill: async () => true, hasHeir: () => false };
  return { done, errand: errand as unknown as Errand };
}

const shippedTo = async (errand: Errand) => (await shipAll(errand, [wanted])).get('site-1');

test('a work is patched as it was read, so that an edit meanwhile is a Conflict', async () => {
  const { done, errand } = errandWith(live);
  expect(await shippedTo(errand)).toMatchObject({ is: 'there' });
  expect(done).toMatchObject([['work', '7']]);
});

test('a work that another try has made meanwhile is left to the next turn, which reads it', async () => {
  const create = async () =>
    Promise.reject(new ApiError({ method: 'POST', path: '/', code: 409, reason: 'AlreadyExists' }));
  expect(await shippedTo(errandWith(null, { create }).errand)).toEqual({ is: 'left' });
});

test.each([0, 403, 429, 500])(
  'a work whose read is answered %i may be there, so none is made: it is tried again',
  async (code) => {
    const get = async () => Promise.reject(new ApiError({ method: 'GET', path: '/', code, reason: 'Why' }));
    const { done, errand } = errandWith(null, { get });
    expect(await shippedTo(errand)).toMatchObject({ is: 'unwritten', refusal: { reason: 'WriteFailed' } });
    expect(done).toEqual([]);
  },
);

test('a work that has lost our finalizer gets it again, beside those of others', async () => {
  const { done, errand } = errandWith({ ...live, metadata: { ...live.metadata, finalizers: ['theirs'] } });
  await shippedTo(errand);
  const [ours] = wanted.metadata.finalizers ?? [];
  expect(done).toEqual([['work', '7', ['theirs', ours]]]);
});

test.each<[string, ManifestWork, object]>([
  [
    'that bears nothing of the Bundle',
    { ...live, metadata: { ...live.metadata, labels: {}, annotations: {} } },
    { is: 'refused', refusal: { reason: 'NameTaken' } },
  ],
  [
    'that is being deleted',
    { ...live, metadata: { ...live.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } },
    { is: 'waits', refusal: { reason: 'StillLeaving' } },
  ],
])('a work %s is not written, and that is said', async (_which, work, outcome) => {
  const { done, errand } = errandWith(work);
  expect(await shippedTo(errand)).toMatchObject(outcome);
  expect(done).toEqual([]);
});

test('nothing is written or deleted for a Bundle that has been edited since it was read', async () => {
  const { done, errand } = errandWith(live);
  const edited = { ...errand, isStill: async () => false, staysYet: async () => 'Nothing' as const };
  expect(await shippedTo(edited)).toEqual({ is: 'left' });
  expect(await shippedTo({ ...errandWith(null).errand, isStill: async () => false })).toEqual({ is: 'left' });
  expect(await removeAll(edited, [seenWork(live as never)])).toMatchObject({ pending: 0, unremoved: [] });
  expect(done).toEqual([]);
});

/** What comes of a work that is to go, and that has been written since the look. */
async function removed(seen: ManifestWork, since: ManifestWork) {
  let tries = 0;
  const changed = { ...since, metadata: { ...since.metadata, resourceVersion: '8' } };
  const { errand } = errandWith(changed, {
    remove: async () => {
      tries += 1;
      if (tries > 1) return true;
      throw new ApiError({ method: 'DELETE', path: '/works', code: 409, reason: 'Conflict' });
    },
  });
  const answer = await removeAll({ ...errand, staysYet: async () => 'Nothing' }, [seenWork(seen as never)]);
  return answer.changed;
}

test('a work that has become Ready since the look stays, and one that has not goes', async () => {
  const failing: ManifestWork = reportedWork(red, { refused: { settings: 'no' } });
  const as = (work: ManifestWork): ManifestWork => ({
    ...work,
    metadata: { ...work.metadata, uid: 'work', resourceVersion: '7' },
  });
  expect(await removed(as(failing), as(live))).toEqual(['site-1']);
  expect(await removed(as(live), as(live))).toEqual([]);
  expect(await removed(as(failing), as(failing))).toEqual([]);
});
