// A work is released without its cluster only where no work agent can ever have held it: everything else may
// still be running there.
import { dropUnheld } from '../../../../activities/hub/retire/unheld.ts';
import { JOINED, MANAGED_CLUSTER, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';

const GOING = { deletionTimestamp: '2026-03-01T12:00:00Z' };
const LOOKED = { namespace: 'site-1', name: 'w', uid: 'a' };

const saying = (...types: readonly string[]) => ({ conditions: types.map((type) => ({ type })) });

/** A hub with this work and this cluster, live; it notes what is written and deleted. */
function hubWith(work: object | null, cluster: object | null) {
  const written: unknown[] = [];
  const kube = {
    get: async (resource: Resource) => {
      if (resource === MANAGED_CLUSTER) return cluster;
      return resource === MANIFEST_WORK ? work : null;
    },
    remove: async (...all: unknown[]) => written.push(all),
    patch: async (...all: unknown[]) => written.push(all),
  } as unknown as Kube;
  return { kube, written };
}

const looked: KubeObject = { metadata: { ...LOOKED, ...GOING } };
const going = { metadata: { ...LOOKED, ...GOING } };
const joined = { metadata: { name: 'site-1' }, status: saying(JOINED) };
const neverJoined = { metadata: { name: 'site-1' }, status: saying('HubAcceptedManagedCluster') };

test.each<[string, object | null]>([
  ['is no managed cluster', null],
  ['has never joined', neverJoined],
])('a work that is being deleted is released where its cluster %s', async (_where, cluster) => {
  const { kube, written } = hubWith(going, cluster);
  expect(await dropUnheld(kube, [looked])).toEqual(['site-1']);
  const metadata = { uid: 'a', finalizers: null };
  expect(written).toEqual([[MANIFEST_WORK, { namespace: 'site-1', name: 'w' }, { metadata }]]);
});

test.each<[string, object | null, object | null]>([
  ['that is not being deleted', { metadata: LOOKED }, null],
  ['of another object by the same name', { metadata: { ...LOOKED, ...GOING, uid: 'b' } }, null],
  ['that an agent has reported on', { ...going, status: saying('Applied') }, null],
  ['of a cluster that has joined, and whose agent may hold it', going, joined],
  ['that is gone', null, null],
])('a work %s is not released', async (_what, work, cluster) => {
  const { kube, written } = hubWith(work, cluster);
  expect(await dropUnheld(kube, [looked])).toEqual([]);
  expect(written).toEqual([]);
});
