// On the stack every agent comes through the gateway: by an identity that the hub has shipped, which opens
// nothing else.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { AGENT_ACCOUNT, IDENTITY_WORK, MADE_AT } from '../../../crds/hub/agent-identity.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { SERVICE_ACCOUNT } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { desiredProcesses } from '../../../deploy/local/supervise/desired.ts';
import { initialState } from '../../../workflows/capp/state.ts';
import { agentQueue, cappWorkflowId, scheduleId } from '../../../workflows/names.ts';
import { createCapp, newNamespace, untilCondition, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { processOf } from '../../../testbed/processes.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { gatewayOf } from '../../../testbed/temporal-way.ts';
import { json } from '../../support/testbeds/door/gateway-calls.ts';

const SITE = 'site-2';
/** As Temporal numbers what becomes of a workflow of the same name. */
const TERMINATE_EXISTING = 3;

let stack: TestbedStack;
let namespace: string;
let agent: Connection;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'gateway');
  agent = await asAgentOf(SITE);
});
afterAll(async () => {
  await agent?.close();
  await stack.close();
});

/** What who has taken over a site can do: its token, and the gateway's address. */
async function asAgentOf(site: string): Promise<Connection> {
  const folder = stack.layout.identityOf(site);
  const token = await eventually(() => readFile(join(folder, 'token'), 'utf8'));
  const authority = await readFile(join(folder, 'ca.crt'));
  return Connection.lazy({
    address: gatewayOf(await desiredProcesses(stack.layout), site),
    tls: { serverRootCACertificate: authority },
    apiKey: token,
    interceptors: [],
  });
}

test('with a site’s credentials nobody starts another Capp’s workflow with a state of their own, nor polls another site', async () => {
  const capp = { namespace, name: 'victim' };
  await createCapp(stack.hub, { ...capp, spec: { site: 'site-1' } });
  const victim = await untilReady(stack.hub, capp);
  const workflow = stack.temporal.workflow.getHandle(cappWorkflowId(namespace, 'victim'));
  const { runId } = await workflow.describe();
  const forged = agent.workflowService.startWorkflowExecution({
    namespace: 'default',
    workflowId: cappWorkflowId(namespace, 'victim'),
    workflowType: { name: 'capp' },
    taskQueue: { name: 'hub' },
    requestId: crypto.randomUUID(),
    workflowIdConflictPolicy: TERMINATE_EXISTING,
    input: json({ ...initialState({ ...capp, uid: victim.metadata.uid ?? '' }), serving: SITE, pin: SITE }),
  });
  await expect(forged).rejects.toThrow(/PERMISSION_DENIED/);
  const poll = agent.workflowService.pollActivityTaskQueue({
    namespace: 'default',
    taskQueue: { name: agentQueue('site-1') },
  });
  await expect(poll).rejects.toThrow(/PERMISSION_DENIED/);
  await untilReady(stack.hub, capp);
  expect((await workflow.describe()).runId).toBe(runId);
  expect(await stack.site(SITE).get(CAPP, capp)).toBeNull();
});

test('a site that the hub no longer accepts is shut out, and comes in again when it is accepted', async () => {
  const key = { namespace: null, name: SITE };
  await agent.workflowService.getSystemInfo({});
  try {
    await stack.hub.patch(MANAGED_CLUSTER, key, { spec: { hubAcceptsClient: false } });
    await eventually(async () => {
      await expect(agent.workflowService.getSystemInfo({})).rejects.toThrow(/UNAUTHENTICATED/);
      return true;
    });
  } finally {
    await stack.hub.patch(MANAGED_CLUSTER, key, { spec: { hubAcceptsClient: true } });
  }
  const capp = { namespace, name: 'after' };
  await createCapp(stack.hub, { ...capp, spec: { site: SITE } });
  await untilCondition(stack.hub, capp, { type: 'Ready', status: 'True' });
});

test('a new identity is made and taken up without a restart of the agent', async () => {
  const pid = (await processOf(stack.layout, `${SITE}-agent`)).pid;
  const file = join(stack.layout.identityOf(SITE), 'token');
  const before = await readFile(file, 'utf8');
  await stack.hub.remove(SERVICE_ACCOUNT, { namespace: SITE, name: AGENT_ACCOUNT });
  await stack.hub.patch(
    MANIFEST_WORK,
    { namespace: SITE, name: IDENTITY_WORK },
    { metadata: { annotations: { [MADE_AT]: null } } },
  );
  await stack.temporal.schedule.getHandle(scheduleId('identity', SITE)).trigger('SKIP');
  await eventually(async () => ((await readFile(file, 'utf8')) === before ? undefined : true));
  const capp = { namespace, name: 'renewed' };
  await createCapp(stack.hub, { ...capp, spec: { site: SITE } });
  await untilReady(stack.hub, capp);
  expect((await processOf(stack.layout, `${SITE}-agent`)).pid).toBe(pid);
});
