// What an agent says of a real API server to a drill. It reads, and writes nothing.
import { agentInspect } from '../../../activities/agent/inspect/inspect.ts';
import { NAMESPACE, NODE, POD, RESOURCE_QUOTA } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';

let server: ApiServerForTests;
let kube: Kube;

beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  for (const name of ['apps', 'others']) {
    await kube.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await kube.create(RESOURCE_QUOTA, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { namespace: name, name: 'small' },
      spec: { hard: { pods: '5', 'requests.memory': '1Gi' } },
    } as KubeObject);
  }
  await kube.create(NODE, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } });
  await kube.patch(NODE, { namespace: null, name: 'node-1' }, { spec: { taints: null } });
  const images = [{ names: ['ghcr.io/shop/app:v1'], sizeBytes: 1 }];
  const conditions = [{ type: 'Ready', status: 'True' }];
  const allocatable = { cpu: '4', memory: '8Gi', pods: '10' };
  await kube.patch(
    NODE,
    { namespace: null, name: 'node-1' },
    { status: { images, conditions, allocatable } },
    { subresource: 'status' },
  );
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

async function runningPod(name: string): Promise<void> {
  const key = { namespace: 'apps', name };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true };
  await kube
    .create(account, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...key, name: 'default' } })
    .catch(() => undefined);
  const containers = [{ name: 'c', image: 'x:1', resources: { requests: { cpu: '1', memory: '512Mi' } } }];
  await kube.create(POD, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: key,
    spec: { nodeName: 'node-1', containers },
  } as KubeObject);
}

test('it says what nodes and quotas have left, which images are there, and which kinds are not served', async () => {
  await runningPod('one');
  const { inspect } = agentInspect(kube);
  const question = {
    namespaces: ['apps'],
    images: ['ghcr.io/shop/app:v1', 'ghcr.io/shop/other:v1', 'quay.io/x:1'],
    kinds: ['Service', 'NfsPvc'],
    wantsNodes: true,
  } as const;
  const found = await inspect(question);
  expect(found).toEqual({
    nodes: [{ cpu: 3_000, memory: 8 * 2 ** 30 - 512 * 2 ** 20, pods: 9 }],
    moreNodes: 0,
    quotas: [
      expect.objectContaining({ namespace: 'apps', name: 'small', resource: 'pods', hard: 5 }),
      expect.objectContaining({ namespace: 'apps', resource: 'requests.memory', hard: 2 ** 30 }),
    ],
    areAllQuotas: true,
    images: ['OnNode', 'KnownRegistry', 'UnknownRegistry'],
    absent: ['Service', 'NfsPvc'],
  });
  expect(await inspect({ namespaces: [], images: [], kinds: [], wantsNodes: false })).toEqual({
    nodes: [],
    moreNodes: 0,
    quotas: [],
    areAllQuotas: true,
    images: [],
    absent: [],
  });
});
