// A turn that removes some Capps and is refused another: it goes on, tells it, and counts those that are
// gone.
import { carryOut, type Order } from '../../../activities/hub/set/carry-out.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const CLUSTERS = ['site-1', 'site-2', 'site-3', 'site-4'];

/** Deletions of these clusters' Capps fail with that code. */
function removing(failing: Readonly<Record<string, number>>, more: object = {}) {
  const gone: string[] = [];
  const remove = async (_kind: unknown, { name }: { name: string }) => {
    const code = failing[name.replace('shop-', '')];
    if (code !== undefined)
      throw new ApiError({ method: 'DELETE', path: `/capps/${name}`, code, reason: 'Why' });
    gone.push(name);
  };
  const order = {
    kube: { remove } as unknown as Kube,
    set: aSet('shop', {}),
    now: NOW,
    most: 100,
    members: [],
    plan: { advance: [] },
    memory: { refused: {} },
    released: { clusters: CLUSTERS, held: 0 },
    left: new Map(
      CLUSTERS.map((cluster) => [
        cluster,
        { ...CAPP, metadata: { namespace: 'apps', name: `shop-${cluster}`, uid: cluster } },
      ]),
    ),
    ...more,
  } as unknown as Order;
  return { done: carryOut(order), gone };
}

test('a turn whose third deletion is refused says which Capp is still there, and why', async () => {
  const { done, gone } = removing({ 'site-3': 500 });
  expect(await done).toMatchObject({ unremoved: [{ cluster: 'site-3', reason: 'Why' }], isMore: false });
  expect(gone).toEqual(['shop-site-1', 'shop-site-2', 'shop-site-4']);
});

test.each([{ only: ['site-3'] }, { only: CLUSTERS }])(
  'removals from $only that are refused for good keep no other site from what it is to get',
  async ({ only }) => {
    const next = { site: { cluster: 'site-9' }, name: 'shop-site-9', child: null, isTaken: true };
    const { done } = removing(
      { 'site-3': 403 },
      {
        released: { clusters: only, held: 0 },
        members: [next],
        plan: { advance: [{ cluster: 'site-9', revision: 'new' }] },
        memory: { refused: {}, rollout: { revision: 'new' } },
      },
    );
    const { unremoved, refused } = await done;
    expect(unremoved.map(({ cluster }) => cluster)).toEqual(['site-3']);
    expect(refused['site-9']).toMatchObject({ reason: 'NameTaken' });
  },
);

test('a turn whose deletion got no answer is tried again', async () => {
  await expect(removing({ 'site-3': 0 }).done).rejects.toThrow(ApiError);
  expect(await removing({}).done).toMatchObject({ unremoved: [], isMore: false });
});
