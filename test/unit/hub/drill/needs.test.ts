// What a Capp asks of a site, as a drill counts it.
import { needsOf } from '../../../../activities/hub/drill/needs.ts';
import { normalise } from '../../../../crds/capp/normalise.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const needs = (plain: Parameters<typeof aCapp>[0] = {}) => needsOf(normalise(aCapp(plain)).capp);
const GIB = 2 ** 30;

test('a plain Capp asks for one pod with the queue-proxy, and for Knative alone', () => {
  expect(needs()).toEqual({
    pods: 1,
    cpu: 25,
    memory: 0,
    limitCpu: 0,
    limitMemory: 0,
    images: ['ghcr.io/me/app:v1'],
    kinds: ['Service'],
  });
});

test('requests are those of all containers, and a limit is one where there is none', () => {
  const container = (name: string, image: string, resources: object) => ({ name, image, resources });
  const pod = {
    containers: [
      container('app', 'a:1', { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '1Gi' } }),
      container('side', 'b:1', { limits: { cpu: 1, memory: '1Gi' } }),
    ],
    initContainers: [container('init', 'a:1', { requests: { memory: '4Gi' } })],
  };
  expect(needs({ pod })).toMatchObject({
    cpu: 1_275,
    memory: 4 * GIB,
    limitCpu: 1_000,
    limitMemory: 2 * GIB,
    images: ['a:1', 'b:1'],
  });
});

test.each([
  [{ scaleSpec: { minReplicas: 4 } }, 4],
  [{ minReplicas: 3 }, 3],
  [{ state: 'disabled', scaleSpec: { minReplicas: 4 } }, 0],
  [{ scaleSpec: { minReplicas: 0 } }, 1],
])('with %j it begins with %d pods', (more, pods) => {
  const template = { spec: { containers: [{ name: 'app', image: 'a:1' }] } };
  expect(needs({ spec: { configurationSpec: { template }, ...more } }).pods).toBe(pods);
});

test('kinds are those that its fields need', () => {
  const template = { spec: { containers: [{ name: 'app', image: 'a:1' }] } };
  const kafka = { bootstrapServers: ['k:9092'], topics: ['t'], secretRef: { name: 's' } };
  const spec = {
    configurationSpec: { template },
    routeSpec: { hostname: 'app.example.com', tlsEnabled: true },
    volumesSpec: { nfsVolumes: [{ name: 'v', server: 'nfs', path: '/v', capacity: { storage: '1Gi' } }] },
    eventSourcesSpec: {
      sources: [
        { name: 'p', pingSourceConfiguration: {} },
        { name: 'k', kafkaSourceConfiguration: kafka },
      ],
    },
  };
  expect(needs({ spec }).kinds).toEqual(['Service', 'NfsPvc', 'PingSource', 'KafkaSource', 'Certificate']);
  const own = { ...spec, routeSpec: { ...spec.routeSpec, tlsSecret: 'own' } };
  expect(needs({ spec: own }).kinds).not.toContain('Certificate');
});

test('what cannot be read is named', () => {
  const pod = { containers: [{ name: 'app', image: 'a:1', resources: { requests: { cpu: 'much' } } }] };
  expect(() => needs({ pod })).toThrow('containers.0.resources.requests.cpu');
});
