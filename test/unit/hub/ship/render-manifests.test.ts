// What manifests a Capp and its dependencies become.
import { manifests, stamped } from '../../../../activities/hub/ship/render/manifests.ts';
import { renderWork } from '../../../../activities/hub/ship/render/work.ts';
import type { Subject } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_BY, ROLLOUT } from '../../../../crds/labels.ts';
import { ALICE, CANARY, IDENTITY, shipment } from '../../../support/builders/hub/shipments.ts';

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
