// Which manifests a Bundle may hold, what is said of the others, and that a token tells nothing of a Secret.
import { carriedOf, type FoundManifest } from '../../../../activities/hub/bundle/manifests/manifests.ts';
import { aConfigMap, aDeployment } from '../../../support/builders/fleet/bundles.ts';

const found = (value: unknown, index = 0, version: string | null = null): FoundManifest => ({
  value,
  where: `spec.manifests[${index}]`,
  version,
});
const said = (...values: unknown[]): string => {
  const read = carriedOf(values.map((value, index) => found(value, index)));
  return 'reason' in read ? `${read.reason}: ${read.message}` : 'fine';
};

test.each<[string, unknown[], string]>([
  [
    'no object',
    ['text'],
    'Invalid: spec.manifests[0] is no Kubernetes object: write it with apiVersion, kind and metadata.name.',
  ],
  [
    'no kind',
    [{ apiVersion: 'v1', metadata: { name: 'a' } }],
    'Invalid: spec.manifests[0] has no apiVersion or no kind: write the whole object.',
  ],
  [
    'no name',
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } }],
    'Invalid: spec.manifests[0] is a ConfigMap with metadata.generateName, of which each apply would make another: give it metadata.name instead.',
  ],
  [
    'a file for kustomize',
    [{ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: ['a.yaml'] }],
    'Invalid: spec.manifests[0] is a Kustomization, which kubectl kustomize reads: ship what that prints, in place of this file.',
  ],
  [
    'an empty name',
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '' } }],
    'Invalid: spec.manifests[0] is a ConfigMap without metadata.name: give it a name.',
  ],
  [
    'a name that is a number',
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 2024 } }],
    'Invalid: spec.manifests[0] is a ConfigMap whose metadata.name is no text: put it in quotes.',
  ],
  [
    'a port in a ConfigMap',
    [{ ...aConfigMap(), data: { host: 'a', port: 8080 } }],
    'Invalid: spec.manifests[0] is ConfigMap settings, with a value in data, key port, that is no text: put it in quotes.',
  ],
  [
    'a Secret in plain text',
    [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'b' }, data: { key: 'canary!' } }],
    'Invalid: spec.manifests[0] is Secret a, with a value in data, key key, that is not in base64: encode it, or write it in stringData.',
  ],
  [
    'the same object twice',
    [aConfigMap(), aDeployment(), aConfigMap({ color: 'blue' })],
    'Invalid: spec.manifests[2] is ConfigMap apps/settings, as spec.manifests[0] is: leave one of them out.',
  ],
  [
    'one object in two versions',
    [{ ...aDeployment(), apiVersion: 'apps/v1beta1' }, aDeployment()],
    'Invalid: spec.manifests[1] is Deployment apps/web, as spec.manifests[0] is: leave one of them out.',
  ],
  [
    'a label that is a number',
    [{ ...aConfigMap(), metadata: { name: 'a', labels: { n: 1 } } }],
    'Invalid: spec.manifests[0] is ConfigMap a, with a value in metadata.labels, key n, that is no text: put it in quotes.',
  ],
  [
    'an annotation without a value',
    [{ ...aConfigMap(), metadata: { name: 'a', annotations: { a: '1', note: null } } }],
    'Invalid: spec.manifests[0] is ConfigMap a, with a value in metadata.annotations, key note, that is no text: leave it out, or write "".',
  ],
  [
    'labels in a list',
    [{ ...aConfigMap(), metadata: { name: 'a', labels: ['a=b'] } }],
    'Invalid: spec.manifests[0] is ConfigMap a, whose metadata.labels is no map: write each entry as "key: text".',
  ],
  [
    'a Deployment without a namespace',
    [{ ...aDeployment(), metadata: { name: 'web' } }],
    'Invalid: spec.manifests[0] is Deployment web without metadata.namespace: name the namespace on the site that it belongs to.',
  ],
  [
    'a list',
    [{ apiVersion: 'v1', kind: 'ConfigMapList', items: [] }],
    'Invalid: spec.manifests[0] is a ConfigMapList: write each of its items as a manifest of its own.',
  ],
  [
    'a Capp',
    [{ apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', metadata: { name: 'a' } }],
    'Invalid: spec.manifests[0] is a Capp: create it on the hub, which places and moves it.',
  ],
  [
    'nothing',
    [],
    'Invalid: The Bundle has no manifests, since its ConfigMaps and Secrets hold no YAML document: write one there, or into spec.manifests.',
  ],
])('a Bundle with %s is refused with its place and the remedy', (_what, values, message) => {
  expect(said(...values)).toBe(message);
});

test('more than 500 KiB are refused with the largest manifests and no content', () => {
  const message = said(
    aConfigMap({ big: 'x'.repeat(400_000) }, 'a'),
    aConfigMap({ big: 'x'.repeat(200_000) }, 'b'),
  );
  expect(message).toContain('TooLarge: The manifests have 587 KiB, more than the 500 KiB');
  expect(message).toContain('ConfigMap apps/a (391 KiB), ConfigMap apps/b (196 KiB)');
  expect(message).not.toContain('xxx');
});

test('what an API server has written into a manifest is left out', () => {
  const read = carriedOf([
    found({
      ...aConfigMap(),
      metadata: {
        name: 'a',
        namespace: 'apps',
        uid: '1',
        resourceVersion: '2',
        creationTimestamp: null,
      },
      status: {},
    }),
  ]);
  expect(read).toMatchObject({ carried: [{ manifest: { metadata: { name: 'a' } } }] });
  expect(JSON.stringify(read)).not.toMatch(/uid|resourceVersion|creationTimestamp|status/);
});

test('records that kubectl and controllers keep in annotations are left out, and nothing else there', () => {
  const records = {
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
    'deployment.kubernetes.io/revision': '7',
    'volume.kubernetes.io/selected-node': 'node-1',
  };
  const metadata = { ...aDeployment().metadata, annotations: { ...records, note: 'a' } };
  const owners = [{ apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'b' }];
  expect(shippedAs({ ...aDeployment(), metadata: { ...metadata, ownerReferences: owners } })).toMatchObject({
    metadata: { ...aDeployment().metadata, annotations: { note: 'a' } },
  });
  expect(JSON.stringify(shippedAs({ ...aDeployment(), metadata }))).not.toMatch(
    /last-applied|revision|selected/,
  );
});

test('a manifest has another token when it changes, and one that may be secret only when its version does', () => {
  const tokenOf = (value: unknown, version: string | null): string => {
    const read = carriedOf([found(value, 0, version)]);
    return 'reason' in read ? read.message : (read.carried[0]?.token ?? '');
  };
  expect(tokenOf(aConfigMap(), null)).toBe(tokenOf({ ...aConfigMap(), kind: 'ConfigMap' }, null));
  expect(tokenOf(aConfigMap(), null)).not.toBe(tokenOf(aConfigMap({ color: 'blue' }), null));
  expect(tokenOf(aConfigMap(), 'u/1')).toBe(tokenOf(aConfigMap({ color: 'blue' }), 'u/1'));
  expect(tokenOf(aConfigMap(), 'u/1')).not.toBe(tokenOf(aConfigMap(), 'u/2'));
});

const shippedAs = (value: unknown): unknown => {
  const read = carriedOf([found(value)]);
  return 'reason' in read ? read.message : read.carried[0]?.manifest;
};

test('a kind that has no namespaces is shipped without one, as kubectl applies it', () => {
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', rules: [] };
  expect(shippedAs({ ...role, metadata: { name: 'a', namespace: 'apps' } })).toEqual({
    ...role,
    metadata: { name: 'a' },
  });
  const thing = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 'a', namespace: 'apps' } };
  expect(shippedAs(thing)).toEqual(thing);
  expect(shippedAs({ ...thing, metadata: { name: 'a' } })).toEqual({ ...thing, metadata: { name: 'a' } });
});

test('what a Secret says in stringData is shipped in data, so that a key that is taken out goes', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'apps' } };
  expect(shippedAs({ ...secret, data: { a: 'MQ==', b: 'Mg==' }, stringData: { b: '3', c: 'ä' } })).toEqual({
    ...secret,
    data: { a: 'MQ==', b: 'Mw==', c: 'w6Q=' },
  });
  expect(shippedAs({ ...secret, data: null, stringData: null })).toEqual({ ...secret, data: {} });
  expect(shippedAs({ ...secret, stringData: { a: null } })).toEqual({ ...secret, data: {} });
  expect(shippedAs({ ...secret, stringData: { a: 1 } })).toMatch(/stringData, key a, that is no text/);
  const folded = { ...secret, data: { a: 'MTIz\nNDU2\n', b: '', c: null } };
  expect(shippedAs(folded)).toEqual(folded);
});

test('a Job is shipped without its time to live, since it would run again when the site removes it', () => {
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', namespace: 'apps' } };
  expect(shippedAs({ ...job, spec: { ttlSecondsAfterFinished: 5, backoffLimit: 1 } })).toEqual({
    ...job,
    spec: { backoffLimit: 1 },
  });
});
