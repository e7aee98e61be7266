// Two hubs in one Temporal namespace: the first has it, and the processes of the second end with a sentence
// before they take a task or ring a workflow. A hub that runs claims its namespace beside its workflows.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import {
  ADD_ON_PLACEMENT_SCORE,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
} from '../../../crds/ocm/placements.ts';
import { connect } from '../../../kube/client.ts';
import { claimNamespace, NamespaceTaken } from '../../../workers/process/claim.ts';
import { cappWorkflowId, CLAIM_WORKFLOW_ID, HUB_QUEUE } from '../../../workflows/names.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveBare, serveOurs } from '../../support/servers/api/definitions.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('claims');
const address = (): string => process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
const TAKEN =
  /The Temporal namespace claims of \S+ belongs to the Cappstan hub hub-a, and this is hub hub-b\. .*temporal\.namespace.*temporal workflow terminate --namespace claims --workflow-id hub/;

const LOST =
  /The Temporal namespace claims of \S+ was of this hub, hub-a, and belongs to the Cappstan hub hub-b now\./;

let server: ApiServerForTests;
beforeAll(async () => {
  server = await startApiServer();
}, 300_000);
afterAll(() => server?.stop());

const claim = ({ client }: FlowTestbed, hub: string) => claimNamespace(client, { hub, address: address() });
const held = ({ client }: FlowTestbed) => client.workflow.getHandle(CLAIM_WORKFLOW_ID);

const COMPONENTS = ['hub', 'bridge', 'gateway'] as const;
type Component = (typeof COMPONENTS)[number];

/** Runs a process of a hub until it exits. */
function runs(component: Component, hub: string): Promise<{ code: number | null; said: string }> {
  return begins(component, hub).ended;
}

function begins(component: Component, hub: string) {
  const main = resolve(import.meta.dirname, `../../../workers/${component}/main.ts`);
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    KUBECONFIG: server.kubeconfig,
    TEMPORAL_ADDRESS: address(),
    TEMPORAL_NAMESPACE: 'claims',
    HUB_ID: hub,
    CLAIM_SECONDS: '1',
    // Of the gateway alone.
    NAMESPACE: 'cappstan-system',
    GATEWAY_ADDRESS: '127.0.0.1:0',
    GATEWAY_HOSTS: '127.0.0.1',
  };
  const child = spawn(process.execPath, [main], { env, timeout: 120_000 });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<{ code: number | null; said: string }>((done, fail) =>
    child.once('error', fail).once('close', (code) => done({ code, said })),
  );
  return { ended, said: () => said, kill: () => child.kill('SIGKILL') };
}

story('a hub whose Capps run claims its namespace, and they go on', async (testbed) => {
  const { world } = testbed;
  world.say('Ready');
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  await claim(testbed, 'hub-a');
  expect(await held(testbed).describe()).toMatchObject({
    status: { name: 'RUNNING' },
    memo: { hub: 'hub-a' },
  });
  await testbed.ring('meta');
  await testbed.untilReady();
  // Again, by each process at each start: nothing is written.
  const before = await eventually(async () => {
    const { historyLength } = await held(testbed).describe();
    return historyLength >= 4 ? historyLength : undefined;
  });
  for (let time = 0; time < 3; time += 1) await claim(testbed, 'hub-a');
  const { runId, historyLength } = await held(testbed).describe();
  expect([historyLength, runId]).toEqual([before, (await held(testbed).describe()).runId]);
});

story(
  'of two hubs that claim a namespace at once one gets it, and the other hears which',
  async (testbed) => {
    await held(testbed)
      .terminate('hub-a is no more')
      .catch(() => undefined);
    const hubs = ['hub-1', 'hub-2', 'hub-3'];
    const ends = await Promise.allSettled(hubs.map((hub) => claim(testbed, hub)));
    const lost = ends.filter((end) => end.status === 'rejected');
    expect(lost.map(({ reason }) => reason instanceof NamespaceTaken)).toEqual([true, true]);
    const { memo } = await held(testbed).describe();
    expect(memo?.['hub']).toBe(hubs[ends.findIndex((end) => end.status === 'fulfilled')]);
    await held(testbed).terminate('the test is over');
  },
);

story(
  'the hub worker, the bridge and the gateway of a second hub end with a sentence, and take no task',
  async (testbed) => {
    await claim(testbed, 'hub-a');
    await testbed.ring('spec');
    for (const component of COMPONENTS) {
      const { code, said } = await runs(component, 'hub-b');
      expect([component, code]).toEqual([component, 1]);
      expect(said).toMatch(TAKEN);
    }
    const { workflowService } = testbed.client;
    const { pollers } = await workflowService.describeTaskQueue({
      namespace: 'claims',
      taskQueue: { name: HUB_QUEUE },
      taskQueueType: 1,
    });
    expect((pollers ?? []).filter(({ identity }) => identity !== 'test')).toEqual([]);
    const { namespace, name } = testbed.capp;
    const { events } = await testbed.client.workflow
      .getHandle(cappWorkflowId(namespace, name))
      .fetchHistory();
    expect((events ?? []).some(({ workflowTaskStartedEventAttributes: taken }) => taken)).toBe(false);
  },
);

const READY: Readonly<Record<Component, string>> = {
  hub: 'running workflows',
  bridge: 'watching the hub',
  gateway: 'letting agents in',
};
/** What the processes watch beside our own kinds. */
const OF_OCM = [
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  MANIFEST_WORK,
  PLACEMENT,
  PLACEMENT_DECISION,
  ADD_ON_PLACEMENT_SCORE,
];
const PATIENT = { withinMs: 120_000, everyMs: 200 };

story('the processes of a hub that run end when another hub has got the namespace', async (testbed) => {
  await freed(testbed);
  const kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveOurs(kube);
  for (const kind of OF_OCM) await serveBare(kube, kind);
  await kube.create(NAMESPACE, { metadata: { name: 'cappstan-system' } });
  await kube.close();
  for (const component of COMPONENTS) {
    const { ended, said, kill } = begins(component, 'hub-a');
    let isOver = false;
    void ended.then(() => (isOver = true));
    try {
      await eventually(() => (said().includes(READY[component]) || isOver ? true : undefined), PATIENT);
      expect([component, isOver, said()]).toEqual([component, false, expect.anything()]);
      // The process takes back what nobody has, so the other hub may have to try more than once.
      await eventually(async () => {
        await freed(testbed);
        return claim(testbed, 'hub-b').then(
          () => true,
          () => undefined,
        );
      }, PATIENT);
      const { code } = await ended;
      expect([component, code]).toEqual([component, 1]);
      expect(said()).toMatch(LOST);
    } finally {
      kill();
    }
    await freed(testbed);
  }
});

/** Nobody has the namespace. */
async function freed(testbed: FlowTestbed): Promise<void> {
  await held(testbed)
    .terminate('it is to be free')
    .catch(() => undefined);
}
