// A cache keeps so much of an object's metadata and no more, whatever a site or a tenant writes there.
import { slim } from '../../../crds/kubernetes/slim.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const withMetadata = (metadata: object): KubeObject => ({
  metadata: { name: 'work', namespace: 'site-1', ...metadata },
});

test('what objects have otherwise stays as it is, but for managed fields', () => {
  const metadata = {
    uid: 'u',
    resourceVersion: '7',
    labels: { a: 'b' },
    annotations: {
      [ROLLOUT]: 'u/1/a/b',
      'kubectl.kubernetes.io/last-applied-configuration': 'x'.repeat(8_000),
    },
    finalizers: ['cluster.open-cluster-management.io/manifest-work-cleanup'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' }],
  };
  expect(slim(withMetadata({ ...metadata, managedFields: [{}] }))).toEqual(withMetadata(metadata));
});

test.each(['labels', 'annotations'] as const)('of very many %s ours are kept, and little else', (field) => {
  const many = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'x'.repeat(10)]),
  );
  const { metadata } = slim(withMetadata({ [field]: { ...many, [ROLLOUT]: 'u/1/a/b' } }));
  const kept = metadata[field] as Readonly<Record<string, string>>;
  expect(kept[ROLLOUT]).toBe('u/1/a/b');
  const characters = Object.entries(kept).reduce((sum, [name, text]) => sum + name.length + text.length, 0);
  expect(characters).toBeLessThanOrEqual(16 * 1024);
  expect(characters).toBeGreaterThan(16_000);
});

test('one annotation without an end, also under a name of ours, takes no room of the others', () => {
  const annotations = { 'rcs.dana.io/forged': 'x'.repeat(200_000), other: 'y', [ROLLOUT]: 'u/1/a/b' };
  expect(slim(withMetadata({ annotations })).metadata).toMatchObject({
    annotations: { other: 'y', [ROLLOUT]: 'u/1/a/b' },
  });
  expect(Object.keys(slim(withMetadata({ annotations })).metadata.annotations ?? {})).toHaveLength(2);
});

test('of very many finalizers and owners the first are kept', () => {
  const finalizers = Array.from({ length: 10_000 }, (_, index) => `example.com/f${index}`);
  const ownerReferences = finalizers.map((name) => ({ apiVersion: 'v1', kind: 'A', name, uid: name }));
  const { metadata } = slim(withMetadata({ finalizers, ownerReferences }));
  expect(metadata.finalizers).toEqual(finalizers.slice(0, 32));
  expect(metadata.ownerReferences).toHaveLength(32);
});
