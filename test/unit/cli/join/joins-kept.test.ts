// Whoever may ask to join decides how long requests and clusters are: the command keeps of each what it
// reads, so that no stranger fills the memory of the person who looks.
import { readJoins, readRequests } from '../../../../cli/hub/objects/joins.ts';
import type { ConnectedHub } from '../../../../cli/hub/connection/hub.ts';
import { CLUSTER_NAME, type SigningRequest } from '../../../../crds/join/signing-request.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import type { ListOptions } from '../../../../kube/watch/list.ts';

const LONG = 'x'.repeat(900_000);
const metadata = {
  name: 'shop-7',
  labels: { [CLUSTER_NAME]: 'shop-7' },
  annotations: { long: LONG },
  managedFields: [{ manager: LONG }],
};
const request: SigningRequest = {
  metadata,
  spec: { request: LONG, signerName: 'kubernetes.io/kube-apiserver-client', username: 'somebody' },
};
const cluster = { metadata, status: { clusterClaims: [{ name: 'long', value: LONG }] } };
const addOn = { metadata: { ...metadata, namespace: 'shop-7' } };

/** What is kept of each object of a list, by kind. */
function hubOf(kept: Map<string, unknown>): ConnectedHub {
  const objects: Readonly<Record<string, KubeObject>> = {
    CertificateSigningRequest: request,
    ManagedCluster: cluster,
    ManagedClusterAddOn: addOn,
  };
  const list = async ({ kind }: Resource, { keep = (one) => one }: ListOptions = {}) => {
    const items = [objects[kind] ?? { metadata }].map((one) => keep(one));
    kept.set(kind, items);
    return { items, resourceVersion: '1' };
  };
  return { kube: { list, getMetadata: async () => null } } as unknown as ConnectedHub;
}

test('of what whoever may join has stored a little is kept, and it is still seen', async () => {
  const kept = new Map<string, unknown>();
  const joins = await readJoins(hubOf(kept));
  expect([...joins.keys()]).toEqual(['shop-7']);
  expect(joins.get('shop-7')?.requests).toHaveLength(1);
  expect([...kept.keys()].toSorted()).toEqual([
    'CertificateSigningRequest',
    // The records of names, which the hub worker writes.
    'ConfigMap',
    'ManagedCluster',
    'ManagedClusterAddOn',
  ]);
  for (const items of kept.values()) expect(JSON.stringify(items).length).toBeLessThan(1_000);
});

test('the same holds for the requests of the cluster that is to be accepted', async () => {
  const kept = new Map<string, unknown>();
  expect(await readRequests(hubOf(kept), 'shop-7')).toHaveLength(1);
  expect(JSON.stringify(kept.get('CertificateSigningRequest')).length).toBeLessThan(1_000);
});
