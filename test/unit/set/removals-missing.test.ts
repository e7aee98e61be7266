// A turn that removes some Capps and is refused another: it goes on, tells it, and counts those that are
// gone.
import { removeReleased, type SetLook } from '../../../activities/hub/set/carry-out.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';

const CLUSTERS = ['site-1', 'site-2', 'site-3', 'site-4'];

/** Deletions of these clusters' Capps fail with that code. */
function removing(failing: Readonly<Record<string, number>>) {
  const gone: string[] = [];
  const remove = async (_kind: unknown, { name }: { name: string }) => {
    const code = failing[name.replace('shop-', '')];
    if (code !== undefined)
      throw new ApiError({ method: 'DELETE', path: `/capps/${name}`, code, reason: 'Why' });
    gone.push(name);
  };
  const left = CLUSTERS.map((cluster) => ({
    ...CAPP,
    metadata: { namespace: 'apps', name: `shop-${cluster}`, uid: cluster },
    spec: { site: cluster },
  }));
  const get = async (_kind: unknown, { name }: { name: string }) =>
    left.find(({ metadata }) => metadata.name === name) ?? null;
  const look = { released: { clusters: CLUSTERS }, left } as unknown as SetLook;
  return { done: removeReleased({ remove, get } as unknown as Kube, look), gone };
}

test('a turn whose third deletion is refused says which Capp is still there, and why', async () => {
  const { done, gone } = removing({ 'site-3': 500 });
  expect(await done).toMatchObject({ unremoved: [{ cluster: 'site-3', reason: 'Why' }] });
  expect(gone).toEqual(['shop-site-1', 'shop-site-2', 'shop-site-4']);
});

test('a turn whose deletion got no answer is tried again', async () => {
  await expect(removing({ 'site-3': 0 }).done).rejects.toThrow(ApiError);
  expect(await removing({}).done).toMatchObject({ unremoved: [] });
});

test('of two Capps into which somebody has written the same site, one goes for each time that it was released', async () => {
  const gone: string[] = [];
  const kube = { remove: async (_kind: unknown, { name }: { name: string }) => gone.push(name) };
  const left = ['shop-site-1', 'shop-site-2'].map((name) => ({
    ...CAPP,
    metadata: { namespace: 'apps', name, uid: name },
    spec: { site: 'site-1' },
  }));
  const look = { released: { clusters: ['site-1'] }, left } as unknown as SetLook;
  await removeReleased(kube as unknown as Kube, look);
  expect(gone).toEqual(['shop-site-1']);
});

test('a Capp that is being deleted already does not go in place of another on its site', async () => {
  const gone: string[] = [];
  const kube = { remove: async (_kind: unknown, { name }: { name: string }) => gone.push(name) };
  const capp = (name: string, metadata: object) => ({
    ...CAPP,
    metadata: { namespace: 'apps', name, uid: name, ...metadata },
    spec: { site: 'site-1' },
  });
  const left = [capp('going', { deletionTimestamp: '2026-03-01T12:00:00Z' }), capp('standing', {})];
  const look = { released: { clusters: ['site-1'] }, left } as unknown as SetLook;
  await removeReleased(kube as unknown as Kube, look);
  expect(gone).toEqual(['standing']);
});
