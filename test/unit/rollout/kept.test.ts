// Which kept revisions go when there are too many: the oldest, and none to which a rollout may go back.
import { keep, keptOf, type Keeping } from '../../../activities/hub/rollout/kept.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { SET_REVISION_KIND, setRevisionNames } from '../../../crds/set/set-revision.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Key } from '../../../kube/resource.ts';

const KEEPING: Keeping = {
  owner: CAPP_SET,
  revisions: SET_REVISION_KIND,
  most: 3,
  labels: () => ({ set: 'shop' }),
  namesOf: setRevisionNames,
};
const owner = { metadata: { namespace: 'apps', name: 'shop', uid: 'uid-1' } };
const digits = (first: string): string => first.repeat(32);

async function removedWith(needed: readonly (string | null)[], short = ''): Promise<string[]> {
  const removed: string[] = [];
  const items = ['a', 'b', 'c'].map((one, index) => ({
    metadata: {
      namespace: 'apps',
      name: `shop-${digits(one) === digits(short) ? digits(one).slice(0, 10) : digits(one)}`,
      creationTimestamp: `2026-03-01T12:00:0${index}Z`,
      ownerReferences: [{ uid: 'uid-1' }],
    },
  }));
  const kube = {
    list: async () => ({ items }),
    create: async () => ({}),
    remove: async (_kind: unknown, { name }: Key) => void removed.push(name.slice(0, 6)),
  } as unknown as Kube;
  await keep(kube, KEEPING, owner, { revision: digits('d'), spec: {}, needed });
  return removed;
}

test('the oldest goes when there is one more than are kept', async () => {
  expect(await removedWith([null])).toEqual(['shop-a']);
});

test('a revision to which the rollout may go back stays, however old it is, by its short name too', async () => {
  expect(await removedWith([digits('a')])).toEqual([]);
  expect(await removedWith([digits('a')], 'a')).toEqual([]);
});

/** What is done where a revision of that name is there that belongs to the object with this uid. */
async function keptBeside(uid: string, { isListed = false } = {}): Promise<string[]> {
  const done: string[] = [];
  const name = `shop-${digits('d')}`;
  const there = { metadata: { namespace: 'apps', name, uid: 'kept', ownerReferences: [{ uid }] } };
  let isThere = true;
  const kube = {
    list: async () => ({ items: isListed ? [there] : [] }),
    getMetadata: async () => there,
    create: async () => {
      done.push('create');
      if (isThere) throw new ApiError({ method: 'POST', path: '', code: 409, reason: 'AlreadyExists' });
      return {};
    },
    remove: async () => {
      done.push('remove');
      isThere = false;
    },
  } as unknown as Kube;
  await keep(kube, KEEPING, owner, { revision: digits('d'), spec: {}, needed: [] });
  return done;
}

test('a revision of an earlier object of the same name makes room, whoever sees it first, and an own one stays', async () => {
  expect(await keptBeside('uid-0')).toEqual(['create', 'remove', 'create']);
  expect(await keptBeside('uid-0', { isListed: true })).toEqual(['create', 'remove', 'create']);
  expect(await keptBeside('uid-1')).toEqual(['create']);
  expect(await keptBeside('uid-1', { isListed: true })).toEqual([]);
});

test.each([
  ['an earlier object of the same name', 'uid-0', false],
  ['the object itself', 'uid-1', true],
])('a revision that was kept of %s is shipped again, or not', async (_whose, uid, isFound) => {
  const found = { metadata: { name: 'kept', ownerReferences: [{ uid }] } };
  const kube = { get: async () => found } as unknown as Kube;
  expect(await keptOf(kube, KEEPING, owner, digits('d'))).toBe(isFound ? found : null);
});
