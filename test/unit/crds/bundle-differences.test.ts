// What people are shown of the difference between two revisions of a Bundle.
import { bundleDifferences } from '../../../crds/bundle/differences.ts';
import { aBundle, aConfigMap, aDeployment } from '../../support/builders/fleet/bundles.ts';

const between = (before: object, after: object) =>
  bundleDifferences(aBundle(before).spec, aBundle(after).spec);
const door = (more: object) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'door', namespace: 'apps' },
  type: 'Opaque',
  ...more,
});

test('each field of a manifest that differs is a line, and so is each other field that makes a revision', () => {
  const ready = [{ kind: 'ConfigMap', name: 'settings', namespace: 'apps', when: 'true' }];
  expect(
    between(
      { manifests: [aConfigMap(), aDeployment()], manifestsFrom: [{ secret: 'tls' }] },
      { manifests: [aConfigMap({ color: 'blue' }), aConfigMap({}, 'more')], ready, onRemoval: 'Orphan' },
    ),
  ).toEqual([
    'ConfigMap apps/more: added',
    'ConfigMap apps/settings.data.color: "red" → "blue"',
    'Deployment.apps apps/web: taken out',
    'manifestsFrom: [{"secret":"tls"}] → (none)',
    'onRemoval: "Delete" → "Orphan"',
    `ready: (none) → ${JSON.stringify([{ kind: 'ConfigMap', name: 'settings', namespace: 'apps', when: 'true' }])}`,
  ]);
});

test('of a Secret nothing is told but which of its fields differ, wherever its value is', () => {
  const lines = between(
    { manifests: [door({ stringData: { key: 'canary-1', user: 'u' }, data: { gone: 'canary-3' } })] },
    {
      manifests: [
        door({
          metadata: { name: 'door', namespace: 'apps', annotations: { last: 'canary-2' } },
          stringData: { key: 'canary-2', user: 'u' },
          type: 'canary-4',
        }),
      ],
    },
  );
  expect(lines).toEqual([
    'Secret apps/door.data: taken out',
    'Secret apps/door.metadata.annotations: added',
    'Secret apps/door.stringData.key: changed',
    'Secret apps/door.type: changed',
  ]);
  const list = (value: string) => ({
    manifests: [
      { apiVersion: 'v1', kind: 'List', metadata: { name: 'all' }, items: [door({ data: { key: value } })] },
    ],
  });
  expect(between(list('canary-1'), list('canary-2'))).toEqual(['List all.items: changed']);
  const kinds = (kind: string) => ({
    manifests: [{ ...door({ data: { key: kind } }), apiVersion: 'v1', kind }],
  });
  expect(between(kinds('ConfigMap'), kinds('Secret'))).toEqual([
    'ConfigMap apps/door: taken out',
    'Secret apps/door: added',
  ]);
});

test('of an object in which a Secret stands nothing is told but which of its fields differ', () => {
  const outer = (value: string) => ({
    manifests: [
      {
        apiVersion: 'kubernetes.crossplane.io/v1alpha2',
        kind: 'Object',
        metadata: { name: 'outer' },
        spec: { manifest: door({ stringData: { key: value } }) },
      },
    ],
  });
  expect(between(outer('canary-1'), outer('canary-2'))).toEqual([
    'Object.kubernetes.crossplane.io outer.spec.manifest.stringData.key: changed',
  ]);
});

test('another order of the manifests is another revision, and that is said', () => {
  const [one, two] = [aConfigMap(), aDeployment()];
  expect(between({ manifests: [one, two] }, { manifests: [two, one] })).toEqual([
    'manifests: in another order',
  ]);
  expect(between({ manifests: [one] }, { manifests: [one] })).toEqual([]);
});
