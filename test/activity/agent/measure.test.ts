// How an agent measures a real API server's nodes and pods, and reads the custom scores of its operators.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  agentMeasure,
  leanPod,
  watchNodes,
  type Measuring,
} from '../../../activities/agent/score/measure.ts';
import type { OnSourceProblem } from '../../../activities/agent/score/custom-scores.ts';
import { CONFIG_MAP, NODE, POD, type Pod } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { aNode } from '../../../deploy/local/standins/pods/node.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { eventually, API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { startFaultProxy } from '../../support/servers/network/fault-proxy.ts';

const BOUNDS = { cpu: { min: 0, max: null }, memory: { min: 0, max: null } };
const FIGURES = { namespace: 'default', name: 'figures' };

let server: ApiServerForTests;
let kube: Kube;
const begun: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true };
  await kube.create(account, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: 'default', name: 'default' },
  });
}, 300_000);
afterAll(async () => {
  for (const one of begun) await one.stop();
  await kube.close();
  await server.stop();
});

function measuring(
  extras: { configMap?: typeof FIGURES; url?: string } = {},
  onProblem: OnSourceProblem = () => undefined,
  site = kube,
): Measuring {
  const { configMap = null, url = null } = extras;
  const nodes = watchNodes(site, () => undefined);
  const one = agentMeasure(site, {
    nodes,
    bounds: BOUNDS,
    extras: { configMap, url },
    onProblem,
    onWatchProblem: () => undefined,
  });
  begun.push(one, nodes);
  return one;
}

async function figures(one: Measuring): Promise<Record<string, number>> {
  const { figures: found } = await one.measure();
  return Object.fromEntries(found.map(({ name, value }) => [name, value]));
}

const untilFigures = (one: Measuring, wanted: Record<string, number>): Promise<true> =>
  eventually(async () => {
    expect(await figures(one)).toMatchObject(wanted);
    return true as const;
  });

async function aPod(name: string, cpu: string, nodeName?: string): Promise<void> {
  const containers = [{ name: 'app', image: 'app:v1', resources: { requests: { cpu } } }];
  const spec = {
    containers,
    automountServiceAccountToken: false,
    ...(nodeName === undefined ? {} : { nodeName }),
  };
  await kube.create(POD, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name },
    spec,
  } as KubeObject);
}

test('each measure returns what the nodes can allocate minus what their pods request', async () => {
  const one = measuring();
  expect(await figures(one)).toEqual({ cpuAvailable: -100, memAvailable: -100 });
  const node = aNode(Date.now());
  await kube.create(NODE, node);
  await kube.patch(NODE, { namespace: null, name: node.metadata.name }, { spec: { taints: null } });
  await untilFigures(one, { cpuAvailable: 100, memAvailable: 100 });
  await aPod('homeless', '4');
  await aPod('greedy', '6', node.metadata.name);
  await untilFigures(one, { cpuAvailable: -50, memAvailable: 100 });
  await kube.patch(
    POD,
    { namespace: 'default', name: 'greedy' },
    { status: { phase: 'Succeeded' } },
    { subresource: 'status' },
  );
  await untilFigures(one, { cpuAvailable: 100 });
  await kube.patch(NODE, { namespace: null, name: node.metadata.name }, { spec: { unschedulable: true } });
  await untilFigures(one, { cpuAvailable: -100, memAvailable: -100 });
});

test('custom scores come from a ConfigMap and from a URL', async () => {
  const { url, end } = await answering(200, JSON.stringify({ price: 12.9, gpu: 300 }));
  const data = { price: '-7', carbon: '5' };
  await kube.create(CONFIG_MAP, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: FIGURES,
    data,
  } as KubeObject);
  expect(await figures(measuring({ configMap: FIGURES, url }))).toMatchObject({
    price: -7,
    carbon: 5,
    gpu: 100,
  });
  await end();
});

test.each([
  { title: 'answers with an error', status: 500, body: 'no' },
  { title: 'answers with something other than a JSON object', status: 200, body: '[1]' },
  { title: 'answers with too many bytes', status: 200, body: JSON.stringify({ note: 'x'.repeat(70_000) }) },
  { title: 'redirects', status: 302, body: '' },
])(
  'a source of custom scores that $title is reported, and the measured figures are returned all the same',
  async ({ status, body }) => {
    const { url, end } = await answering(status, body);
    const problems: string[] = [];
    const missing = { namespace: 'default', name: 'missing' };
    const found = await figures(measuring({ configMap: missing, url }, (source) => problems.push(source)));
    expect(Object.keys(found)).toEqual(['cpuAvailable', 'memAvailable']);
    expect(problems.toSorted()).toEqual(['ConfigMap', 'URL']);
    await end();
  },
);

test('a measure fails while the API server cannot be reached, even after a successful list', async () => {
  const proxy = await startFaultProxy(server.kubeconfig);
  const beyond = connect({ kubeconfig: proxy.kubeconfig });
  const one = measuring({}, () => undefined, beyond);
  await one.measure();
  proxy.cut();
  await expect(one.measure()).rejects.toMatchObject({ type: 'Unreachable' });
  await one.stop();
  await beyond.close();
  await proxy.stop();
});

test('the cache keeps only the fields of a pod that are counted', () => {
  const env = [{ name: 'PASSWORD', value: 'hunter2' }];
  const pod = {
    metadata: { name: 'p', namespace: 'ns', annotations: { long: 'x'.repeat(1000) } },
    spec: {
      nodeName: 'n',
      containers: [{ name: 'c', image: 'i', env, resources: { requests: { cpu: '1' } } }],
      volumes: [{ name: 'v' }],
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
  expect(leanPod(pod as Pod)).toEqual({
    metadata: { name: 'p', namespace: 'ns' },
    spec: {
      nodeName: 'n',
      containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }],
      initContainers: [],
    },
    status: { phase: 'Running' },
  });
});

async function answering(status: number, body: string): Promise<{ url: string; end: () => Promise<void> }> {
  const http: Server = createServer((_request, response) => {
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(body);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    end: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}
