// The ConfigMaps and Secrets that a Capp refers to, and how much it needs each.
import {
  readUnparsed,
  references,
  serviceAccountOf,
  type ReferenceNeed,
} from '../../../crds/capp/references.ts';
import { aCapp } from '../../support/builders/capps.ts';

const container = (more: object) => ({ name: 'app', image: 'i', ...more });
const env = (valueFrom: object) => ({ env: [{ name: 'A', valueFrom }] });
const ref = (name: string, by: string, need: ReferenceNeed = 'Required') => ({ name, need, by });

describe('the references of a Capp', () => {
  it.each([
    { title: 'nothing', pod: {}, configMaps: [], secrets: [] },
    {
      title: 'env of containers, init containers and ephemeral containers (W17)',
      pod: {
        containers: [container(env({ configMapKeyRef: { name: 'c', key: 'k' } }))],
        initContainers: [{ name: 'i', ...env({ secretKeyRef: { name: 's', key: 'k' } }) }],
        ephemeralContainers: [{ name: 'e', envFrom: [{ secretRef: { name: 't' } }] }],
      },
      configMaps: [ref('c', 'container app')],
      secrets: [ref('s', 'container i'), ref('t', 'container e')],
    },
    {
      title: 'envFrom',
      pod: {
        containers: [
          container({
            envFrom: [{ configMapRef: { name: 'c' } }, { secretRef: { name: 's', optional: true } }],
          }),
        ],
      },
      configMaps: [ref('c', 'container app')],
      secrets: [ref('s', 'container app', 'Optional')],
    },
    {
      title: 'ConfigMap, Secret and projected volumes',
      pod: {
        volumes: [
          { name: 'a', configMap: { name: 'c1' } },
          { name: 'b', secret: { secretName: 's1', optional: true } },
          {
            name: 'c',
            projected: {
              sources: [{ configMap: { name: 'c2', optional: true } }, { secret: { name: 's2' } }],
            },
          },
          { name: 'd', emptyDir: {} },
        ],
      },
      configMaps: [ref('c1', 'volume a'), ref('c2', 'volume c', 'Optional')],
      secrets: [ref('s1', 'volume b', 'Optional'), ref('s2', 'volume c')],
    },
    {
      title: 'Secrets of volume drivers',
      pod: {
        volumes: [
          { name: 'csi', csi: { driver: 'd', nodePublishSecretRef: { name: 's1' } } },
          { name: 'rbd', rbd: { monitors: [], image: 'i', secretRef: { name: 's2' } } },
          { name: 'azure', azureFile: { secretName: 's3', shareName: 'share' } },
          { name: 'odd', csi: { driver: 'd', nodePublishSecretRef: 'no object' }, azureFile: null },
        ],
      },
      configMaps: [],
      secrets: [ref('s1', 'volume csi'), ref('s2', 'volume rbd'), ref('s3', 'volume azure')],
    },
    {
      title: 'pull secrets, without which a pod can start',
      pod: { imagePullSecrets: [{ name: 'pull' }] },
      configMaps: [],
      secrets: [ref('pull', 'imagePullSecrets', 'Expected')],
    },
    {
      title: 'each name once, sorted, with the strongest need of its uses (W16)',
      pod: {
        containers: [
          container({
            envFrom: [
              { secretRef: { name: 'z', optional: true } },
              { secretRef: { name: 'z' } },
              { secretRef: { name: 'a', optional: true } },
            ],
          }),
        ],
        imagePullSecrets: [{ name: 'a' }],
      },
      configMaps: [],
      secrets: [ref('a', 'imagePullSecrets', 'Expected'), ref('z', 'container app')],
    },
    { title: 'no empty names', pod: { imagePullSecrets: [{ name: '' }, {}] }, configMaps: [], secrets: [] },
    {
      title: 'nothing in a field of the wrong type',
      pod: { ephemeralContainers: 'none' },
      configMaps: [],
      secrets: [],
    },
  ])('include $title', ({ pod, configMaps, secrets }) => {
    expect(references(aCapp({ pod }))).toEqual({ configMaps, secrets });
  });

  it('include the log password and the TLS secret, which no pod waits for', () => {
    const logSpec = { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'p' };
    const routeSpec = { hostname: 'app.example.com', tlsEnabled: true, tlsSecret: 't' };
    const capp = aCapp({ spec: { logSpec, routeSpec } });
    expect(references(capp).secrets).toEqual([
      ref('p', 'spec.logSpec.passwordSecret', 'Expected'),
      ref('t', 'spec.routeSpec.tlsSecret', 'Expected'),
    ]);
  });

  it.each([
    { hostname: 'app.example.com', tlsSecret: 't' },
    { hostname: '', tlsEnabled: true, tlsSecret: 't' },
    { tlsEnabled: true, tlsSecret: 't' },
  ])('leave out the private key that nothing would be served with: %j', (routeSpec) => {
    expect(references(aCapp({ spec: { routeSpec } })).secrets).toEqual([]);
  });

  it.each([
    ['default', {}],
    ['default', { serviceAccountName: '' }],
    ['builder', { serviceAccountName: 'builder' }],
  ])('include the pull secrets of ServiceAccount %s', (account, pod) => {
    const capp = aCapp({ pod: { ...pod, imagePullSecrets: [{ name: 'own' }] } });
    expect(serviceAccountOf(capp)).toBe(account);
    expect(references(capp, ['lent', 'own']).secrets).toEqual([
      ref('lent', `ServiceAccount ${account}`, 'Optional'),
      ref('own', 'imagePullSecrets', 'Expected'),
    ]);
  });
});

describe('of a spec that nobody has parsed', () => {
  const lacking = { spec: { configurationSpec: {} } } as never;

  it('are none where a part is missing', () => {
    expect(readUnparsed(() => references(lacking), null)).toBeNull();
  });

  it('are not passed over when the reading itself fails', () => {
    const failing = (): never => {
      throw new Error('ours');
    };
    expect(() => readUnparsed(failing, null)).toThrow('ours');
  });
});
