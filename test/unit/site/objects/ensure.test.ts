// Objects of others are left alone, also those that the site operator's cache does not show yet.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { KNATIVE_SERVICE } from '../../../../crds/kubernetes/knative.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { ensure } from '../../../../site/objects/ensure.ts';

const key = { namespace: 'apps', name: 'shop' };
const capp = { metadata: { ...key, uid: 'capp-uid' } } as Capp;
const object: KubeObject = { metadata: key };

/** An API server that has this object, and a cache that has seen nothing of it. */
async function ensured(there: KubeObject | null) {
  const asked: unknown[] = [];
  const written: KubeObject[] = [];
  const write = async (_resource: unknown, one: KubeObject) => {
    written.push(one);
    return one;
  };
  const list = async (_resource: unknown, options: unknown) => {
    asked.push(options);
    return { items: there === null ? [] : [there] };
  };
  const kube = { apply: write, create: write, list } as unknown as Kube;
  const answer = ensure(kube, { capp, resource: KNATIVE_SERVICE, object, live: undefined });
  const result = await answer.catch((error: unknown) => error);
  return { result, written, asked };
}

test("somebody else's object that the cache does not show yet is not taken over", async () => {
  const { result, written, asked } = await ensured({ metadata: { ...key, uid: 'foreign' } });
  expect(result).toMatchObject({ reason: 'NameTaken' });
  expect(written).toEqual([]);
  expect(asked).toEqual([{ namespace: 'apps', fieldSelector: 'metadata.name=shop' }]);
});

test('where there is none it is made', async () => {
  const { written } = await ensured(null);
  expect(written).toMatchObject([{ metadata: key }]);
});

test('one that is being deleted is waited for', async () => {
  const owner = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', name: 'shop', uid: 'capp-uid' };
  const metadata = { ...key, deletionTimestamp: '2026-03-01T12:00:00Z', ownerReferences: [owner] };
  const { result, written } = await ensured({ metadata });
  expect(result).toBeNull();
  expect(written).toEqual([]);
});
