// A cache keeps of a ManagedCluster what somebody reads, whatever its site or whoever registered it writes
// there.
import { slimCluster } from '../../../crds/ocm/slim-cluster.ts';
import { SEALING_CLAIM } from '../../../crds/sealing/site-key.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';

const claim = (name: string, value: string) => ({ name, value });
const PLAIN: ManagedCluster = {
  metadata: {
    name: 'site-1',
    uid: 'u',
    resourceVersion: '7',
    labels: { region: 'eu' },
    annotations: { a: 'b' },
  },
  spec: { hubAcceptsClient: true, leaseDurationSeconds: 60, taints: [{ key: 'a', effect: 'NoSelect' }] },
  status: {
    conditions: [{ type: 'ManagedClusterConditionAvailable', status: 'True', message: 'It answers.' }],
    clusterClaims: [claim('id.k8s.io', 'x'), claim(SEALING_CLAIM, 'key')],
  },
};

test('what a cluster has otherwise stays as it is, and what nobody reads goes', () => {
  const whole = {
    ...PLAIN,
    metadata: { ...PLAIN.metadata, managedFields: [{}] },
    spec: {
      ...PLAIN.spec,
      managedClusterClientConfigs: [{ url: 'https://site-1', caBundle: 'x'.repeat(100) }],
    },
    status: {
      ...PLAIN.status,
      version: { kubernetes: 'v1.32' },
      capacity: { cpu: '8' },
      allocatable: { cpu: '4' },
    },
  };
  expect(slimCluster(whole)).toEqual(PLAIN);
  expect(slimCluster({ metadata: { name: 'new' } })).toEqual({ metadata: { name: 'new' } });
});

test('all labels are kept, since Placements read them, and of annotations only what fits', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 'x'.repeat(10)]));
  const { metadata } = slimCluster({ metadata: { name: 'a', labels: many, annotations: many } });
  expect(metadata.labels).toEqual(many);
  expect(JSON.stringify(metadata.annotations).length).toBeLessThan(32_768);
});

test('of very many claims ours are kept, of what a site says in a condition the beginning, and nothing of what it can allocate', () => {
  const clusterClaims = Array.from({ length: 20_000 }, (_, index) =>
    claim(`c${index}.example.com`, 'x'.repeat(20)),
  );
  const status = {
    allocatable: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`r${index}`, '1'])),
    clusterClaims: [...clusterClaims, claim(SEALING_CLAIM, 'key')],
    conditions: Array.from({ length: 500 }, () => ({
      type: 'Said',
      status: 'True' as const,
      message: 'x'.repeat(32_000),
    })),
  };
  const slimmed = slimCluster({ ...PLAIN, status });
  expect(slimmed.status?.clusterClaims).toContainEqual(claim(SEALING_CLAIM, 'key'));
  expect(slimmed.status?.clusterClaims).toContainEqual(claim('c0.example.com', 'x'.repeat(20)));
  expect(JSON.stringify(slimmed).length).toBeLessThan(250_000);
});
