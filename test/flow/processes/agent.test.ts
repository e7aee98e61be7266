// The agent as a process: it is asked only when it has seen its site, and says only what it can know.
import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { lastPollBy } from '../../../bridge/sites/pollers.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { Inventory } from '../../../workflows/types/ring.ts';
import { claimNamespace } from '../../../workers/process/claim.ts';
import { CLAIM_WORKFLOW_ID, HUB_QUEUE, SITE_WORKFLOW, siteWorkflowId } from '../../../workflows/names.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { capp } from '../../../testbed/capps.ts';
import { serveOurs } from '../../support/servers/api/definitions.ts';
import { eventually, API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { startFaultProxy, type FaultProxy } from '../../support/servers/network/fault-proxy.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('agent');
const STAMP = 'uid-1/1/hash/one';

let server: ApiServerForTests;
let proxy: FaultProxy;
let kube: Kube;
beforeAll(async () => {
  server = await startApiServer();
  proxy = await startFaultProxy(server.kubeconfig);
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveOurs(kube);
  await kube.create(NAMESPACE, { metadata: { name: 'apps' } });
  const { metadata, ...rest } = capp({ namespace: 'apps', name: 'app', image: 'app:v1' });
  await kube.apply(
    CAPP,
    { ...rest, metadata: { ...metadata, annotations: { [ROLLOUT]: STAMP } } },
    { fieldManager: 'work-agent' },
  );
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await proxy?.stop();
  await server?.stop();
});

function startAgent(cluster: string, more: Readonly<Record<string, string>> = {}): ChildProcess {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    KUBECONFIG: proxy.kubeconfig,
    CLUSTER_NAME: cluster,
    TEMPORAL_ADDRESS: process.env['FLOW_TEMPORAL_ADDRESS'],
    TEMPORAL_NAMESPACE: 'agent',
    ...more,
  };
  const main = resolve(import.meta.dirname, '../../../workers/agent/main.ts');
  const agent = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  // Whoever listens gets it; unread it would stay open.
  agent.stdout.resume();
  return agent;
}

/** What the site's workflow has been told, stretch by stretch. */
async function inventoriesOf(testbed: FlowTestbed, cluster: string): Promise<Inventory[]> {
  const { events } = await testbed.client.workflow.getHandle(siteWorkflowId(cluster)).fetchHistory();
  const said = (events ?? []).flatMap(
    ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.input?.payloads ?? [],
  );
  return said.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()) as Inventory);
}

story(
  'an agent is asked nothing before it has seen its site, and then says all that is there',
  async (testbed) => {
    const cluster = 'site-blind';
    await testbed.client.workflow.start(SITE_WORKFLOW, {
      workflowId: siteWorkflowId(cluster),
      taskQueue: HUB_QUEUE,
      args: [{ version: 1, cluster, inventories: [] }],
    });
    proxy.fault(({ path }) => (path.includes('/capps') ? { answer: 503 } : undefined));
    proxy.forget();
    const agent = startAgent(cluster);
    try {
      await eventually(() =>
        proxy.seen.filter(({ path }) => path.includes('/capps')).length >= 4 ? true : undefined,
      );
      expect(await lastPollBy(testbed.client)(cluster)).toBeNull();
      proxy.heal();
      await eventually(async () => (await lastPollBy(testbed.client)(cluster)) ?? undefined);
      const [first] = await eventually(async () => {
        const inventories = await inventoriesOf(testbed, cluster);
        return inventories.length > 0 ? inventories : undefined;
      });
      expect(first).toMatchObject({
        after: null,
        upTo: null,
        entries: [{ namespace: 'apps', name: 'app', uid: 'uid-1', stamp: STAMP }],
      });
    } finally {
      proxy.heal();
      const ended = new Promise((done) => agent.once('exit', done));
      agent.kill('SIGKILL');
      await ended;
      await testbed.client.workflow.getHandle(siteWorkflowId(cluster)).terminate();
    }
  },
);

story(
  'an agent that speaks to Temporal itself ends where another hub has the namespace, and takes no task',
  async ({ client }) => {
    const cluster = 'site-foreign';
    const claim = client.workflow.getHandle(CLAIM_WORKFLOW_ID);
    await claimNamespace(client, { hub: 'hub-a', address: 'here' });
    const agent = startAgent(cluster, { HUB_ID: 'hub-b' });
    let [said, code] = ['', undefined as number | null | undefined];
    agent.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise((done) => agent.once('close', (exit) => done((code = exit))));
    try {
      // One that goes on takes tasks of the other hub's site of this name.
      await eventually(
        async () => (code !== undefined || (await lastPollBy(client)(cluster)) !== null ? true : undefined),
        { withinMs: 120_000 },
      );
      expect(code).toBe(1);
      expect(said).toMatch(/belongs to the Cappstan hub hub-a, and this agent is of hub hub-b/);
      expect(await lastPollBy(client)(cluster)).toBeNull();
    } finally {
      agent.kill('SIGKILL');
      await ended;
      await claim.terminate();
    }
  },
);
