// How a Capp and its dependencies become the ManifestWork for one cluster.
import { manifests, stamped, type Shipment } from '../../../../activities/hub/ship/render/manifests.ts';
import { carriedBytes } from '../../../../crds/ocm/work-size.ts';
import { saltedHash } from '../../../../activities/hub/ship/render/salted-hash.ts';
import { renderWork, type Identity } from '../../../../activities/hub/ship/render/work.ts';
import { cappKey, dependenciesDigest } from '../../../../crds/ocm/work-identity.ts';
import type { ConfigMap, Secret, Subject } from '../../../../crds/kubernetes/core.ts';
import {
  CAPP_KEY,
  CAPP_NAME,
  CAPP_NAMESPACE,
  CAPP_UID,
  DEPENDENCIES,
  INCARNATION,
  MANAGED_BY,
  ROLLOUT,
  SALT,
} from '../../../../crds/labels.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const ALICE: Subject = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' };
const CANARY = 'Y2FuYXJ5';
const IDENTITY: Identity = {
  cluster: 'site-1',
  name: 'mw-create-apps-app',
  incarnation: 'one',
  salt: 'salt',
};
const secret = (plain: Partial<Secret> = {}): Secret => ({
  metadata: { name: 'keys', namespace: 'apps', uid: 's-1', resourceVersion: '7', labels: { theirs: 'yes' } },
  type: 'Opaque',
  data: { key: CANARY },
  ...plain,
});
const configMap: ConfigMap = {
  metadata: { name: 'settings', namespace: 'apps', uid: 'c-1', resourceVersion: '8' },
  data: { a: 'b' },
  binaryData: { c: 'ZA==' },
  immutable: true,
};

function shipment(plain: Partial<Shipment> = {}, capp: Parameters<typeof aCapp>[0] = {}): Shipment {
  return {
    capp: aCapp({ generation: 3, ...capp }),
    configMaps: [configMap],
    secrets: [secret()],
    logReaders: [],
    ...plain,
  };
}

describe('the manifests', () => {
  test('W24 come in the order in which a site can apply them', () => {
    expect(manifests(shipment()).map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'Namespace/apps',
      'Secret/keys',
      'ConfigMap/settings',
      'Capp/app',
    ]);
    expect(manifests(shipment({ logReaders: [ALICE] })).map(({ kind }) => kind)).toEqual([
      'Namespace',
      'Secret',
      'ConfigMap',
      'Role',
      'RoleBinding',
      'Capp',
    ]);
  });

  test('W19 carry all data of Secrets and ConfigMaps, but of their metadata only the name', () => {
    const [, first, second] = manifests(shipment());
    const metadata = { namespace: 'apps', labels: { [MANAGED_BY]: 'rcs' } };
    expect(first).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...metadata, name: 'keys' },
      type: 'Opaque',
      data: { key: CANARY },
    });
    expect(second).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: 'settings' },
      data: { a: 'b' },
      binaryData: { c: 'ZA==' },
      immutable: true,
    });
  });

  test('W21 contain a Role that lets log readers read pods/log', () => {
    const role = manifests(shipment({ logReaders: [ALICE] })).find(({ kind }) => kind === 'Role');
    expect(role).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'app-logs-reader', namespace: 'apps', labels: { [MANAGED_BY]: 'rcs' } },
      rules: [
        { apiGroups: [''], resources: ['pods/log'], verbs: ['get', 'watch', 'list'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
      ],
    });
  });

  test('W22 bind the log readers unchanged to that Role', () => {
    const robot: Subject = { kind: 'ServiceAccount', name: 'robot', namespace: 'tools' };
    const binding = manifests(shipment({ logReaders: [ALICE, robot] })).find(
      ({ kind }) => kind === 'RoleBinding',
    );
    expect(binding).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'app-logs-reader', namespace: 'apps', labels: { [MANAGED_BY]: 'rcs' } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'app-logs-reader' },
      subjects: [ALICE, robot],
    });
  });

  test("W32 keep the Capp's labels and annotations, except those for the hub and its tools, and drop its uid", () => {
    const annotations = {
      note: 'kept',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'rcs.dana.io/paused': 'true',
      'rcs.dana.io/migrate': 'site-2#1',
      'rcs.dana.io/force': 'site-2#1',
      'rcs.dana.io/has-placement': 'site-1',
      'rcs.dana.io/last-updated-by': 'alice',
      'rcs.dana.io/priority': '1',
      'rcs.dana.io/migrate-by': 'alice',
      'rcs.dana.io/paused-by': 'alice',
      'argocd.argoproj.io/tracking-id': 'apps:Capp:app',
      [ROLLOUT]: 'forged',
    };
    const labels = { team: 'one', 'kustomize.toolkit.fluxcd.io/name': 'apps' };
    const capp = manifests(shipment({}, { labels, annotations })).at(-1);
    expect(capp?.metadata).toEqual({
      name: 'app',
      namespace: 'apps',
      labels: { team: 'one', [MANAGED_BY]: 'rcs' },
      annotations: { note: 'kept' },
    });
    expect(capp?.['spec']).toEqual(shipment().capp.spec);
  });

  test("W14 drop the Capp's status, its finalizers and spec.migration", () => {
    const { capp } = shipment({}, { spec: { migration: { policy: 'Manual' } } });
    const whole = {
      ...capp,
      metadata: { ...capp.metadata, finalizers: ['dana.io/capp-cleanup'] },
      status: { observedGeneration: 3 },
    };
    const shipped = manifests(shipment({ capp: whole })).at(-1);
    expect(Object.keys(shipped ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(Object.keys(shipped?.metadata ?? {})).toEqual(['name', 'namespace', 'labels', 'annotations']);
    expect(shipped?.['spec']).not.toHaveProperty('migration');
  });

  test('say nothing of spec.requires, and have the same hash with it as without', () => {
    const labels = { matchLabels: { region: 'eu' } };
    const [asking, plain] = [{ requires: { labels } }, {}].map((spec) =>
      renderWork(shipment({}, { spec }), IDENTITY),
    );
    expect(asking?.manifests).toEqual(plain?.manifests);
    expect([asking?.hash, asking?.stamp]).toEqual([plain?.hash, plain?.stamp]);
    expect(JSON.stringify(asking)).not.toContain('requires');
  });

  test('carry the stamp on the Capp only', () => {
    const plain = manifests(shipment());
    const [capp, ...others] = stamped(plain, 'stamp').toReversed();
    expect(capp?.metadata.annotations).toEqual({ [ROLLOUT]: 'stamp' });
    expect(others.toReversed()).toEqual(plain.slice(0, -1));
  });
});

describe('the stamp', () => {
  const stampOf = (of: Shipment, identity = IDENTITY): string => renderWork(of, identity).stamp;

  test('consists of uid, generation, manifest hash and incarnation, and is the same on the work and on the Capp', () => {
    const { stamp, work } = renderWork(shipment(), IDENTITY);
    expect(stamp).toMatch(/^uid-1\/3\/[0-9a-f]{20}\/one$/);
    const capp = work.spec?.workload.manifests?.at(-1);
    expect([capp?.metadata.annotations?.[ROLLOUT], work.metadata.annotations?.[ROLLOUT]]).toEqual([
      stamp,
      stamp,
    ]);
  });

  test('is the same for the same shipment, whatever the order of its keys', () => {
    expect(saltedHash({ a: 1, b: { c: 2, d: [3] } }, 'salt')).toBe(
      saltedHash({ b: { d: [3], c: 2 }, a: 1 }, 'salt'),
    );
    expect(stampOf(shipment())).toBe(stampOf(shipment()));
  });

  test.each<[string, Shipment, Identity]>([
    ['a Secret', shipment({ secrets: [secret({ data: { key: 'b3RoZXI=' } })] }), IDENTITY],
    ['a log reader', shipment({ logReaders: [ALICE] }), IDENTITY],
    ['a label of the Capp', shipment({}, { labels: { team: 'two' } }), IDENTITY],
    ['the spec', shipment({}, { spec: { scaleMetric: 'cpu' } }), IDENTITY],
    ['the generation', shipment({}, { generation: 4 }), IDENTITY],
    ['the incarnation', shipment(), { ...IDENTITY, incarnation: 'two' }],
    ['the salt', shipment(), { ...IDENTITY, salt: 'other' }],
  ])('changes when %s changes', (_name, other, identity) => {
    expect(stampOf(other, identity)).not.toBe(stampOf(shipment()));
  });

  test.each<[string, Shipment]>([
    [
      'the resourceVersion of a Secret with the same data',
      shipment({ secrets: [secret({ metadata: { name: 'keys', resourceVersion: '99' } })] }),
    ],
    ['the placement annotation', shipment({}, { annotations: { 'rcs.dana.io/has-placement': 'site-2' } })],
    ['a move request', shipment({}, { annotations: { 'rcs.dana.io/migrate': 'site-2#1' } })],
    [
      'the Pod Security label of its namespace',
      shipment({ podSecurity: { 'pod-security.kubernetes.io/enforce': 'restricted' } }),
    ],
    [
      'the annotation that records who paused it',
      shipment({}, { annotations: { 'rcs.dana.io/paused-by': 'alice' } }),
    ],
    ['the status', { ...shipment(), capp: { ...shipment().capp, status: { observedGeneration: 1 } } }],
  ])('stays the same when %s changes', (_name, other) => {
    expect(stampOf(other)).toBe(stampOf(shipment()));
  });
});

describe('the work', () => {
  const { work } = renderWork(shipment(), IDENTITY);

  test('names its Capp in labels and annotations, so that it is found by label and adopted by name', () => {
    expect(work.metadata).toMatchObject({
      name: 'mw-create-apps-app',
      namespace: 'site-1',
      labels: { [CAPP_KEY]: cappKey('apps', 'app'), [CAPP_UID]: 'uid-1', [MANAGED_BY]: 'rcs' },
      annotations: { [CAPP_NAMESPACE]: 'apps', [CAPP_NAME]: 'app', [INCARNATION]: 'one', [SALT]: 'salt' },
    });
  });

  test('carries a digest of the versions of its dependencies, and none of their data in its metadata', () => {
    const digest = dependenciesDigest([
      { kind: 'Secret', metadata: { name: 'keys', uid: 's-1', resourceVersion: '7' } },
      { kind: 'ConfigMap', metadata: configMap.metadata },
    ]);
    expect(work.metadata.annotations?.[DEPENDENCIES]).toBe(digest);
    expect(JSON.stringify(work.metadata)).not.toContain(CANARY);
    const other = renderWork(shipment({ logReaders: [ALICE] }), IDENTITY).work.metadata.annotations?.[
      DEPENDENCIES
    ];
    expect(other).not.toBe(digest);
  });

  test('W23 W33 creates the Namespace without ever updating or deleting it, and has no other update or orphaning rules', () => {
    expect(work.spec?.manifestConfigs).toEqual([
      {
        resourceIdentifier: { group: '', resource: 'namespaces', name: 'apps' },
        updateStrategy: { type: 'CreateOnly' },
      },
    ]);
    expect(work.spec?.deleteOption).toEqual({
      propagationPolicy: 'SelectivelyOrphan',
      selectivelyOrphans: {
        orphaningRules: [{ group: '', resource: 'namespaces', name: 'apps', namespace: '' }],
      },
    });
  });
});

describe('the size of a work, as the webhook of OCM counts it', () => {
  const data = (value: string): Manifest => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c' },
    data: { value },
  });
  const empty = carriedBytes([data('')]);

  test.each<[string, string, number]>([
    ['plain text', 'abc', 3],
    ['letters of several bytes', 'ä🚢', 6],
    ['the characters that only Go escapes in JSON', '<a>&\u2028', 25],
  ])('counts %s', (_name, value, bytes) => {
    expect(carriedBytes([data(value)]) - empty).toBe(bytes);
  });

  test('is the sum over all manifests, and never less than their JSON', () => {
    const { manifests: carried } = renderWork(shipment(), IDENTITY);
    expect(carriedBytes(carried)).toBe(carried.reduce((sum, one) => sum + carriedBytes([one]), 0));
    expect(carriedBytes(carried)).toBeGreaterThan(Buffer.byteLength(JSON.stringify(carried)));
  });
});
