// What an agent says of its site to a drill: nodes, quotas and images.
import { sightsOf } from '../../../activities/agent/inspect/images.ts';
import { nodeRooms } from '../../../activities/agent/inspect/nodes.ts';
import { quotaRooms } from '../../../activities/agent/inspect/quotas.ts';
import type { Node, Pod, ResourceQuota } from '../../../crds/kubernetes/core.ts';
import { imageName } from '../../../crds/kubernetes/image.ts';
import { readInspected } from '../../../workflows/parse/inspection.ts';
import { anInspection } from '../../support/builders/drill/drills.ts';

const READY = { type: 'Ready', status: 'True' } as const;
const DIGEST = `sha256:${'a'.repeat(64)}`;

const node = (name: string, status: Node['status'] = {}, spec: Node['spec'] = {}): Node => ({
  metadata: { name },
  spec,
  status: { conditions: [READY], allocatable: { cpu: '2', memory: '4Gi', pods: '10' }, ...status },
});
const pod = (nodeName: string, cpu: string, memory: string): Pod => ({
  metadata: { name: 'p', namespace: 'apps' },
  spec: { nodeName, containers: [{ name: 'c', resources: { requests: { cpu, memory } } }] },
  status: { phase: 'Running' },
});

test.each([
  ['nginx', 'docker.io', 'docker.io/library/nginx:latest'],
  ['nginx:1.27', 'docker.io', 'docker.io/library/nginx:1.27'],
  ['shop/app:v1', 'docker.io', 'docker.io/shop/app:v1'],
  ['index.docker.io/shop/app', 'docker.io', 'docker.io/shop/app:latest'],
  ['localhost/app:v1', 'localhost', 'localhost/app:v1'],
  ['registry:5000/app', 'registry:5000', 'registry:5000/app:latest'],
  ['ghcr.io/shop/app:v1', 'ghcr.io', 'ghcr.io/shop/app:v1'],
  [`ghcr.io/shop/app:v1@${DIGEST}`, 'ghcr.io', `ghcr.io/shop/app@${DIGEST}`],
])('%s is of %s, as %s', (text, registry, full) => {
  expect(imageName(text)).toEqual({ registry, full });
});

test('an image is on a node in whatever spelling, or its registry is known, or not', () => {
  const names = ['docker.io/library/nginx:1.27', `docker.io/library/nginx@${DIGEST}`];
  const nodes = [node('a', { images: [{ names: null }, { names }] })];
  const asked = ['nginx:1.27', `nginx@${DIGEST}`, 'nginx:1.28', 'ghcr.io/shop/app:v1'];
  expect(sightsOf(asked, nodes, [])).toEqual(['OnNode', 'OnNode', 'KnownRegistry', 'UnknownRegistry']);
});

test('an image that a waiting pod cannot pull fails; one that waits for something else does not', () => {
  const waiting = (reason: string): Pod => ({
    metadata: { name: 'p', namespace: 'apps' },
    spec: {
      containers: [
        { name: 'app', image: 'ghcr.io/shop/app:v1' },
        { name: 'other', image: 'ghcr.io/shop/other:v1' },
      ],
    },
    status: { phase: 'Pending', containerStatuses: [{ name: 'app', state: { waiting: { reason } } }] },
  });
  const asked = ['ghcr.io/shop/app:v1', 'ghcr.io/shop/other:v1'];
  const nodes = [node('a', { images: [{ names: ['ghcr.io/shop/app:v1'] }] })];
  expect(sightsOf(asked, nodes, [waiting('ImagePullBackOff')])).toEqual(['Failing', 'KnownRegistry']);
  expect(sightsOf(asked, nodes, [waiting('ContainerCreating')])).toEqual(['OnNode', 'KnownRegistry']);
});

test('a node has left what its pods do not ask for; one that takes no pods counts for nothing', () => {
  const nodes = [
    node('small'),
    node('large', { allocatable: { cpu: '8', memory: '16Gi', pods: '110' } }),
    node('cordoned', {}, { unschedulable: true }),
  ];
  const finished: Pod = { ...pod('small', '2', '4Gi'), status: { phase: 'Succeeded' } };
  expect(nodeRooms(nodes, [pod('small', '100m', '1Gi'), pod('small', '1.4', '1Gi'), finished])).toEqual({
    nodes: [
      { cpu: 8_000, memory: 16 * 2 ** 30, pods: 110 },
      { cpu: 500, memory: 2 * 2 ** 30, pods: 8 },
    ],
    moreNodes: 0,
  });
});

test('of many nodes the emptiest are named, and the others counted', () => {
  const nodes = Array.from({ length: 250 }, (_, index) =>
    node(`n-${index}`, { allocatable: { cpu: '1', memory: `${index + 1}Gi`, pods: '10' } }),
  );
  const found = nodeRooms(nodes, []);
  expect(found.moreNodes).toBe(50);
  expect(found.nodes).toHaveLength(200);
  expect(found.nodes.at(-1)?.memory).toBe(51 * 2 ** 30);
});

const quota = (namespace: string, hard: Record<string, string>, spec: object = {}): ResourceQuota => ({
  metadata: { namespace, name: 'q' },
  spec: { hard, ...spec },
  status: { used: { 'requests.cpu': '250m', 'count/pods': '3' } },
});

test('quotas are given for the namespaces that were asked about, in one unit each', () => {
  const all = [
    quota('apps', { 'requests.cpu': '1.5', memory: '2Gi', 'count/pods': '5', 'count/secrets': '7' }),
    quota('others', { pods: '1' }),
    quota('apps', { pods: '0' }, { scopes: ['BestEffort'] }),
    quota('apps', { pods: '0' }, { scopeSelector: {} }),
    quota('apps', { pods: '9' }, { scopes: ['NotTerminating'] }),
  ];
  const room = { namespace: 'apps', name: 'q' };
  expect(quotaRooms(all, ['apps'])).toEqual({
    quotas: [
      { ...room, resource: 'requests.cpu', hard: 1_500, used: 250 },
      { ...room, resource: 'requests.memory', hard: 2 * 2 ** 30, used: 0 },
      { ...room, resource: 'pods', hard: 5, used: 3 },
      { ...room, resource: 'pods', hard: 9, used: 0 },
    ],
    areAllQuotas: true,
  });
});

test('the longest answer goes through the gateway, and says that it does not name all', () => {
  const long = (index: number): string => `${'n'.repeat(55)}-${index}`;
  const namespaces = Array.from({ length: 100 }, (_, index) => long(index));
  const quotas = namespaces.flatMap((namespace) =>
    [1, 2].map((index) => ({
      ...quota(namespace, { pods: '9', cpu: '9', memory: '9', 'limits.cpu': '9', 'limits.memory': '9P' }),
      metadata: { namespace, name: `${'q'.repeat(240)}-${index}` },
    })),
  );
  const nodes = Array.from({ length: 200 }, () => ({
    cpu: Number.MAX_SAFE_INTEGER,
    memory: Number.MAX_SAFE_INTEGER,
    pods: 100,
  }));
  const limits = quotaRooms(quotas, namespaces);
  const images = Array.from({ length: 200 }, () => 'UnknownRegistry' as const);
  const longest = anInspection({ nodes, ...limits, images, absent: ['Service', 'NfsPvc'] });
  expect(limits.areAllQuotas).toBe(false);
  expect(JSON.stringify(longest).length).toBeLessThan(65_536);
  expect(readInspected(longest)).toEqual(longest);
});

test.each([
  ['no object', 7],
  ['nodes that are none', anInspection({ nodes: [{ cpu: 1, memory: -1, pods: 1 }] })],
  ['half a core of a thousandth', anInspection({ nodes: [{ cpu: 0.5, memory: 1, pods: 1 }] })],
  ['another sight of an image', { ...anInspection(), images: ['Fine'] }],
  ['a kind that is not asked about', { ...anInspection(), absent: ['Secret'] }],
  ['too many images', { ...anInspection(), images: Array.from({ length: 201 }, () => 'OnNode') }],
  [
    'a quota of something else',
    { ...anInspection(), quotas: [{ namespace: 'a', name: 'b', resource: 'secrets', hard: 1, used: 1 }] },
  ],
  [
    'a namespace with another form',
    { ...anInspection(), quotas: [{ namespace: '../a', name: 'b', resource: 'pods', hard: 1, used: 1 }] },
  ],
  ['no word on whether these are all quotas', { ...anInspection(), areAllQuotas: undefined }],
])('an answer with %s is none', (_, given) => {
  expect(readInspected(given)).toBeNull();
});

test('what an answer has beside what was asked goes no further', () => {
  const given = { ...anInspection(), secret: 'x', nodes: [{ cpu: 1, memory: 1, pods: 1, name: 'n' }] };
  expect(readInspected(given)).toEqual(anInspection({ nodes: [{ cpu: 1, memory: 1, pods: 1 }] }));
});
