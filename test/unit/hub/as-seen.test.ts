// What is no more what somebody looked at is not deleted, and a refusal is told from a change.
import { removeAsSeen } from '../../../activities/hub/retire/as-seen.ts';
import { removeEach } from '../../../activities/hub/rollout/writes.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const SEEN = { namespace: 'apps', name: 'shop', uid: 'a', resourceVersion: '1' };
const looked: KubeObject = { metadata: SEEN };
const conflict = new ApiError({ method: 'DELETE', path: '/shop', code: 409, reason: 'Conflict' });

/** An API server that answers each deletion in this way, and has this object. */
const refusing = (present: KubeObject['metadata'] | null, answer = conflict): Kube =>
  ({
    remove: async () => {
      throw answer;
    },
    getMetadata: async () => (present === null ? null : { metadata: present }),
  }) as unknown as Kube;

test.each([
  ['it has been written', { ...SEEN, resourceVersion: '2' }, 'Changed'],
  ['somebody else deletes it', { ...SEEN, resourceVersion: '2', deletionTimestamp: 'now' }, 'Begun'],
  ['it is gone', null, 'Gone'],
  ['another one has its name', { ...SEEN, uid: 'b' }, 'Gone'],
])('of a Conflict, when %s, becomes %j', async (_when, present, outcome) => {
  expect(await removeAsSeen(refusing(present), CAPP, looked)).toBe(outcome);
});

const failing = new ApiError({ method: 'DELETE', path: '/shop', code: 500, reason: 'InternalError' });

test.each([
  ['it is being deleted', { ...SEEN, resourceVersion: '2', deletionTimestamp: 'now' }, 'Begun'],
  ['it is gone', null, 'Gone'],
])('of a server that has failed, when %s, becomes %j', async (_when, present, outcome) => {
  expect(await removeAsSeen(refusing(present, failing), CAPP, looked)).toBe(outcome);
});

test('a server that has failed and deleted nothing is told like one that refuses', async () => {
  await expect(removeAsSeen(refusing(SEEN, failing), CAPP, looked)).rejects.toBe(failing);
});

test('when nobody can say whether an object is gone, the deletion has no answer, and so it is not given back', async () => {
  const kube = {
    ...refusing(SEEN, failing),
    getMetadata: async () => {
      throw failing;
    },
  } as unknown as Kube;
  const remove = () => removeAsSeen(kube, CAPP, looked);
  await expect(removeEach(['site-1'], (site) => site, remove)).rejects.toMatchObject({ code: 0 });
});

test('a deletion names the uid and the version of what was looked at', async () => {
  const asked: unknown[] = [];
  const kube = { remove: async (...call: unknown[]) => asked.push(call) } as unknown as Kube;
  await removeAsSeen(kube, CAPP, looked);
  const { uid, resourceVersion } = SEEN;
  expect(asked).toEqual([[CAPP, { namespace: 'apps', name: 'shop' }, { uid, resourceVersion }]]);
});

test('an object that has not changed is refused by somebody else, and that is no reason to look again', async () => {
  const remove = () => removeAsSeen(refusing(SEEN), CAPP, looked);
  await expect(remove()).rejects.toBe(conflict);
  expect(await removeEach(['site-1'], (site) => site, remove)).toEqual({
    pending: 0,
    unremoved: [{ cluster: 'site-1', reason: 'Conflict' }],
  });
});

test('one copy that has changed makes the whole look be repeated, when all others have been tried', async () => {
  const tried: string[] = [];
  const removing = removeEach(
    ['site-1', 'site-2', 'site-3'],
    (site) => site,
    async (site) => {
      tried.push(site);
      return site === 'site-1' ? 'Changed' : 'Begun';
    },
  );
  await expect(removing).rejects.toMatchObject({ code: 409, reason: 'Conflict' });
  expect(tried).toEqual(['site-1', 'site-2', 'site-3']);
});
