// Every call that no rule names is refused unread, and counts as any other: through a gateway to a real
// Temporal, with tokens of a real API server.
import { connect } from 'node:net';
import { status } from '@grpc/grpc-js';
import type { Connection } from '@temporalio/client';
import { RULES } from '../../../gateway/calls/rules.ts';
import { RULED, servicesOfTemporal } from '../../../gateway/services.ts';
import { framed, rawCaller } from '../../../testbed/gateway-bytes.ts';
import { startGateway, type GatewayForTests } from '../../support/testbeds/door/gateway.ts';
import { codeOf } from '../../support/testbeds/door/gateway-calls.ts';

let stage: GatewayForTests;
let one: Connection;
beforeAll(async () => {
  const bounds = { calls: { perSecond: 1, atOnce: 500 }, signals: { perSecond: 1, atOnce: 1 } };
  stage = await startGateway(['site-1', 'site-2'], bounds);
  one = await stage.as(await stage.token('site-1'));
}, 300_000);
afterAll(() => stage?.stop());

describe('every other call', () => {
  const execution = { workflowId: 'capp/team-a/shop' };
  const started = { workflowId: 'w', workflowType: { name: 'capp' }, taskQueue: { name: 'hub' } };
  test.each([
    ['startWorkflowExecution', { ...started, workflowIdConflictPolicy: 3 }],
    ['signalWithStartWorkflowExecution', { ...started, signalName: 'ring' }],
    ['executeMultiOperation', {}],
    ['startActivityExecution', { activityId: 'a' }],
    ['describeActivityExecution', { activityId: 'a' }],
    ['pollWorkflowTaskQueue', { taskQueue: { name: 'hub' } }],
    ['pollNexusTaskQueue', { taskQueue: { name: 'hub' } }],
    ['respondWorkflowTaskCompleted', {}],
    ['respondActivityTaskCompletedById', { workflowId: 'w', activityId: '1' }],
    ['respondActivityTaskFailedById', { workflowId: 'w', activityId: '1' }],
    ['respondActivityTaskCanceledById', { workflowId: 'w', activityId: '1' }],
    ['recordActivityTaskHeartbeatById', { workflowId: 'w', activityId: '1' }],
    ['getWorkflowExecutionHistory', { execution }],
    ['describeWorkflowExecution', { execution }],
    ['queryWorkflow', { execution, query: { queryType: 'view' } }],
    ['updateWorkflowExecution', { workflowExecution: execution }],
    ['resetWorkflowExecution', { workflowExecution: execution }],
    ['terminateWorkflowExecution', { workflowExecution: execution }],
    ['requestCancelWorkflowExecution', { workflowExecution: execution }],
    ['deleteWorkflowExecution', { workflowExecution: execution }],
    ['listWorkflowExecutions', {}],
    ['countWorkflowExecutions', {}],
    ['startBatchOperation', {}],
    ['createSchedule', { scheduleId: 's' }],
    ['updateSchedule', { scheduleId: 's' }],
    ['deleteSchedule', { scheduleId: 's' }],
    ['listSchedules', {}],
    ['describeTaskQueue', { taskQueue: { name: 'hub' } }],
    ['updateTaskQueueConfig', {}],
    ['setWorkerDeploymentCurrentVersion', { deploymentName: 'cappstan' }],
    ['deleteWorkerDeployment', { deploymentName: 'cappstan' }],
    ['createWorkflowRule', {}],
    ['updateWorkerConfig', {}],
    ['fetchWorkerConfig', {}],
    ['updateNamespace', {}],
    ['deprecateNamespace', {}],
    ['registerNamespace', {}],
    ['listNamespaces', {}],
  ] as const)('%s is refused', async (method, request) => {
    const call = one.workflowService[method] as (asked: object) => Promise<unknown>;
    expect(await codeOf(call.call(one.workflowService, { namespace: 'default', ...request }))).toBe(
      'PERMISSION_DENIED',
    );
  });

  test('that the SDK knows and no rule names is refused, those that come with its next release, too', async () => {
    const named = servicesOfTemporal().flatMap(({ name, definition }) =>
      name === RULED ? Object.keys(definition).filter((method) => !Object.hasOwn(RULES, method)) : [],
    );
    const said: string[] = [];
    for (const method of named) {
      const call = Reflect.get(one.workflowService, `${method[0]?.toLowerCase()}${method.slice(1)}`) as (
        asked: object,
      ) => Promise<unknown>;
      said.push(`${method} ${await codeOf(call.call(one.workflowService, { namespace: 'default' }))}`);
    }
    expect(named.length).toBeGreaterThan(80);
    expect(said).toEqual(named.map((method) => `${method} PERMISSION_DENIED`));
  });

  test('of the operator’s and of the health service is refused', async () => {
    expect(await codeOf(one.operatorService.listNexusEndpoints({}))).toBe('PERMISSION_DENIED');
    expect(await codeOf(one.operatorService.deleteNamespace({ namespace: 'default' }))).toBe(
      'PERMISSION_DENIED',
    );
    expect(await codeOf(one.healthService.check({}))).toBe('PERMISSION_DENIED');
  });
});

describe('a call that no service of the SDK has', () => {
  const EMPTY = framed(Buffer.alloc(0));
  const ODD: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    ['of Temporal’s admins', '/temporal.server.api.adminservice.v1.AdminService/DescribeCluster', {}],
    ['that nobody knows', 'NoSuchCall', {}],
    ['with the content type of a browser', 'GetSystemInfo', { 'content-type': 'application/json' }],
    ['with a timeout that is none', 'NoSuchCall', { 'grpc-timeout': 'soon' }],
  ];

  test.each(ODD)('%s is refused, and among the calls that ended', async (_what, method, headers) => {
    const before = stage.ended.length;
    const caller = await rawCaller(stage.address, stage.authority);
    const authorization = `Bearer ${await stage.token('site-2')}`;
    expect(await caller.call(method, { ...headers, authorization }, EMPTY)).toBe(status.PERMISSION_DENIED);
    expect(stage.ended.slice(before)).toMatchObject([
      { cluster: 'site-2', method: 'UnknownCall', refusal: { code: status.PERMISSION_DENIED } },
    ]);
    caller.close();
  });

  test.each(ODD)('%s is no way in for who has no token', async (_what, method, headers) => {
    const before = stage.ended.length;
    const caller = await rawCaller(stage.address, stage.authority);
    expect(await caller.call(method, headers, EMPTY)).toBe(status.UNAUTHENTICATED);
    expect(stage.ended.slice(before)).toMatchObject([
      { cluster: null, refusal: { code: status.UNAUTHENTICATED } },
    ]);
    caller.close();
  });
});

test('a stranger’s bytes end that connection, and the gateway goes on', async () => {
  const [host = '', port = ''] = stage.address.split(':');
  for (const bytes of ['GET / HTTP/1.1\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\u0016\u0003\u0001']) {
    const socket = connect(Number(port), host).on('error', () => undefined);
    socket.end(bytes);
  }
  expect(await codeOf(one.workflowService.getSystemInfo({}))).toBe('OK');
});

test('a site that floods the gateway with calls that are refused is told to wait, and its neighbour is answered', async () => {
  const two = await stage.as(await stage.token('site-2'));
  const calls = Array.from({ length: 600 }, () =>
    codeOf(one.workflowService.listWorkflowExecutions({ namespace: 'default' })),
  );
  expect(await codeOf(two.workflowService.getSystemInfo({}))).toBe('OK');
  expect(await Promise.all(calls)).toContain('RESOURCE_EXHAUSTED');
});
