// Every place of a Secret in a Pod's spec, against what travels with a Capp: what a Pod needs there travels,
// nothing else does, and no name leads out of the Capp's namespace.
import { readDependencies } from '../../../activities/hub/ship/dependencies.ts';
import { references } from '../../../crds/capp/references.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Key, Resource } from '../../../kube/resource.ts';
import { aCapp } from '../../support/builders/capps.ts';

const IMAGE = { name: 'app', image: 'i' };
const env = (name: string) => [{ name: 'A', valueFrom: { secretKeyRef: { name, key: 'k' } } }];
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] });

/** As k8s.io/api core/v1 has them (1.34). */
const PLACES: Readonly<Record<string, (name: string) => object>> = {
  'env of a container': (name) => ({ containers: [{ ...IMAGE, env: env(name) }] }),
  'envFrom of a container': (name) => ({ containers: [{ ...IMAGE, envFrom: [{ secretRef: { name } }] }] }),
  'envFrom with a prefix': (name) => ({
    containers: [{ ...IMAGE, envFrom: [{ prefix: 'P_', secretRef: { name } }] }],
  }),
  'env of the second container': (name) => ({ containers: [IMAGE, { ...IMAGE, name: 'b', env: env(name) }] }),
  'env of an init container': (name) => ({ initContainers: [{ ...IMAGE, env: env(name) }] }),
  'envFrom of a sidecar': (name) => ({
    initContainers: [{ ...IMAGE, restartPolicy: 'Always', envFrom: [{ secretRef: { name } }] }],
  }),
  'an ephemeral container': (name) => ({ ephemeralContainers: [{ ...IMAGE, env: env(name) }] }),
  imagePullSecrets: (name) => ({ imagePullSecrets: [{ name: 'other' }, { name }] }),
  'a Secret volume': (name) => volume({ secret: { secretName: name } }),
  'a projected volume': (name) => volume({ projected: { sources: [{ secret: { name } }] } }),
  'the second source of a projected volume': (name) =>
    volume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }, { secret: { name } }] } }),
  'csi.nodePublishSecretRef': (name) => volume({ csi: { driver: 'd', nodePublishSecretRef: { name } } }),
  'azureFile.secretName': (name) => volume({ azureFile: { secretName: name, shareName: 's' } }),
  'cephfs.secretRef': (name) => volume({ cephfs: { monitors: ['m'], secretRef: { name } } }),
  'cinder.secretRef': (name) => volume({ cinder: { volumeID: 'i', secretRef: { name } } }),
  'flexVolume.secretRef': (name) => volume({ flexVolume: { driver: 'd', secretRef: { name } } }),
  'iscsi.secretRef': (name) => volume({ iscsi: { targetPortal: 'p', secretRef: { name } } }),
  'rbd.secretRef': (name) => volume({ rbd: { monitors: ['m'], image: 'i', secretRef: { name } } }),
  'scaleIO.secretRef': (name) => volume({ scaleIO: { gateway: 'g', secretRef: { name } } }),
  'storageos.secretRef': (name) => volume({ storageos: { secretRef: { name } } }),
};

function secretsOf(pod: object): string[] {
  const { spec, ...rest } = aCapp();
  const { containers } = spec.configurationSpec.template.spec;
  const template = { spec: { containers, ...pod } };
  const capp = { ...rest, spec: { ...spec, configurationSpec: { template } } } as never;
  return references(capp).secrets.map(({ name }) => name);
}

test.each(Object.entries(PLACES))('a Secret in %s travels with the Capp', (_place, podWith) => {
  expect(secretsOf(podWith('wanted'))).toContain('wanted');
});

test.each<[string, object]>([
  ['a plain value', { containers: [{ ...IMAGE, env: [{ name: 'A', value: 'secretRef: theirs' }] }] }],
  ['an argument', { containers: [{ ...IMAGE, args: ['--secret=theirs'] }] }],
  ['a ConfigMap', { containers: [{ ...IMAGE, envFrom: [{ configMapRef: { name: 'theirs' } }] }] }],
  ['a claim of a volume', volume({ persistentVolumeClaim: { claimName: 'theirs' } })],
  [
    'a template of a claim',
    volume({
      ephemeral: { volumeClaimTemplate: { spec: { dataSource: { kind: 'Secret', name: 'theirs' } } } },
    }),
  ],
  ['a token', volume({ projected: { sources: [{ serviceAccountToken: { path: 'theirs' } }] } })],
  [
    'a Secret deeper in a volume',
    volume({ csi: { driver: 'd', volumeAttributes: { secretRef: { name: 'theirs' } } } }),
  ],
  ['a name that is no text', volume({ csi: { driver: 'd', nodePublishSecretRef: { name: ['theirs'] } } })],
])('%s is no Secret, and brings none along', (_what, pod) => {
  expect(secretsOf(pod)).not.toContain('theirs');
});

test('a name with which a path could lead elsewhere is asked of nobody, and all others in the Capp’s namespace', async () => {
  const asked: (Key & { readonly kind: string })[] = [];
  const get = async ({ kind }: Resource, key: Key) => {
    asked.push({ kind, ...key });
    return null;
  };
  const names = ['../kube-system/secrets/token', '..', 'a/b', 'a%2Fb', 'a?b', 'a#b', 'a\nb', 'A', '', 'ok'];
  const wanted = names.map((name) => ({ name, need: 'Required' as const, by: 'container app' }));
  const kube = { get } as unknown as Kube;
  const found = await readDependencies(kube, 'apps', { configMaps: wanted, secrets: wanted });
  expect(asked.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
    { kind: 'ConfigMap', namespace: 'apps', name: 'ok' },
    { kind: 'Secret', namespace: 'apps', name: 'ok' },
  ]);
  expect(found).toMatchObject({ secrets: [], configMaps: [] });
});
