// How the manifests of a Capp become the ManifestWork for one cluster: its stamp, its marks and its size.
import type { Shipment } from '../../../../activities/hub/ship/render/manifests.ts';
import { carriedBytes } from '../../../../crds/ocm/work-size.ts';
import { saltedHash } from '../../../../activities/hub/ship/render/salted-hash.ts';
import { renderWork, type Identity } from '../../../../activities/hub/ship/render/work.ts';
import { cappKey, dependenciesDigest } from '../../../../crds/ocm/work-identity.ts';
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
import {
  ALICE,
  CANARY,
  IDENTITY,
  secret,
  configMap,
  shipment,
} from '../../../support/builders/hub/shipments.ts';

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
