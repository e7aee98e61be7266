// How the hub is recognised among its ManagedClusters: no Capp must be placed on it.
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { isHubItself } from '../../../../activities/hub/place/cluster-facts.ts';

const UID = 'uid-of-the-hub';

const cluster = (name: string, labels: Record<string, string>, id: string): ManagedCluster => ({
  metadata: { name, labels },
  status: { clusterClaims: [{ name: 'id.k8s.io', value: id }] },
});

test.each([
  ['its name', cluster('local-cluster', {}, 'other'), true],
  ['its label', cluster('site-1', { 'local-cluster': 'true' }, 'other'), true],
  ['its claim', cluster('site-1', {}, UID), true],
  ['nothing, with a claim of its own', cluster('site-1', { 'local-cluster': 'false' }, 'other'), false],
])('the hub is known by %s', (_by, one, isHub) => {
  expect(isHubItself(one, UID)).toBe(isHub);
});
