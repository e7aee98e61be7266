// What is no more what somebody looked at is not deleted, and a refusal is told from a change.
import { removeAsSeen } from '../../../activities/hub/retire/as-seen.ts';
import { removeEach } from '../../../activities/hub/rollout/writes.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';

type Metadata = KubeObject['metadata'];

const SEEN = { namespace: 'apps', name: 'shop', uid: 'a', resourceVersion: '1' };
const looked: KubeObject = { metadata: SEEN };
const conflict = new ApiError({ method: 'DELETE', path: '/shop', code: 409, reason: 'Conflict' });
const failing = new ApiError({ method: 'DELETE', path: '/shop', code: 500, reason: 'InternalError' });

/**
 * An API server that answers deletions in this way, and has this object; it notes the versions that were
 * named.
 */
function answering(answer: ApiError, present: () => Metadata | null, until = Infinity) {
  const named: unknown[] = [];
  const kube = {
    remove: async (_resource: unknown, _key: unknown, { resourceVersion }: { resourceVersion: string }) => {
      named.push(resourceVersion);
      if (named.length < until) throw answer;
      return true;
    },
    get: async () => {
      const metadata = present();
      return metadata === null ? null : { metadata };
    },
  } as unknown as Kube;
  return { kube, named };
}

const remove = (kube: Kube, isAsSeen = false) => removeAsSeen(kube, CAPP, looked, () => isAsSeen);

test.each([
  ['it has become another', { ...SEEN, resourceVersion: '2' }, 'Changed'],
  ['somebody else deletes it', { ...SEEN, resourceVersion: '2', deletionTimestamp: 'now' }, 'Begun'],
  ['it is gone', null, 'Gone'],
  ['another one has its name', { ...SEEN, uid: 'b' }, 'Gone'],
])('of a Conflict, when %s, becomes %j', async (_when, present, outcome) => {
  expect(await remove(answering(conflict, () => present).kube)).toBe(outcome);
});

test('what was written and is still as it was seen is deleted as it is now', async () => {
  const { kube, named } = answering(conflict, () => ({ ...SEEN, resourceVersion: '2' }), 2);
  expect(await remove(kube, true)).toBe('Begun');
  expect(named).toEqual(['1', '2']);
});

test('what is written all the time is left to the next look after a few tries', async () => {
  let version = 1;
  const { kube, named } = answering(conflict, () => {
    version += 1;
    return { ...SEEN, resourceVersion: String(version) };
  });
  expect(await remove(kube, true)).toBe('Changed');
  expect(named).toEqual(['1', '2', '3']);
});

test.each([
  ['it is being deleted', { ...SEEN, resourceVersion: '2', deletionTimestamp: 'now' }, 'Begun'],
  ['it is gone', null, 'Gone'],
])('of a server that has failed, when %s, becomes %j', async (_when, present, outcome) => {
  expect(await remove(answering(failing, () => present).kube)).toBe(outcome);
});

test.each([conflict, failing])('%s about what is there as it was is told like a refusal', async (answer) => {
  const { kube } = answering(answer, () => SEEN);
  await expect(remove(kube)).rejects.toBe(answer);
  expect(
    await removeEach(
      ['site-1'],
      (site) => site,
      () => remove(kube),
    ),
  ).toEqual({
    pending: 0,
    changed: [],
    unanswered: [],
    unremoved: [{ cluster: 'site-1', reason: answer.reason }],
  });
});

test('when nobody can say whether an object is gone, the deletion has no answer, and so it is not given back', async () => {
  const { kube } = answering(failing, () => {
    throw failing;
  });
  await expect(
    removeEach(
      ['site-1'],
      (site) => site,
      () => remove(kube),
    ),
  ).rejects.toMatchObject({ code: 0 });
});

test('a deletion names the uid and the version of what was looked at', async () => {
  const asked: unknown[] = [];
  const kube = { remove: async (...call: unknown[]) => asked.push(call) } as unknown as Kube;
  await remove(kube);
  const { uid, resourceVersion } = SEEN;
  expect(asked).toEqual([[CAPP, { namespace: 'apps', name: 'shop' }, { uid, resourceVersion }]]);
});

test('one copy that has changed keeps none of the others from going, and is told', async () => {
  const removed = await removeEach(
    ['site-1', 'site-2'],
    (site) => site,
    async (site) => (site === 'site-1' ? 'Changed' : 'Begun'),
  );
  expect(removed).toEqual({ pending: 0, unanswered: [], unremoved: [], changed: ['site-1'] });
});
