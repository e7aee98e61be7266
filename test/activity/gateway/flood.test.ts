// A site that floods the gateway from a thousand connections is held to its bounds, and its neighbour does
// not notice: counted, not timed.
import { status } from '@grpc/grpc-js';
import type { Connection } from '@temporalio/client';
import { api } from '../../../gateway/calls/messages.ts';
import { startGateway, workOf, type GatewayForTests } from '../../support/testbeds/door/gateway.ts';
import { framed, rawCaller, type RawCaller } from '../../../testbed/gateway-bytes.ts';
import { ask, codeOf, complete, json, taskOf } from '../../support/testbeds/door/gateway-calls.ts';

const CONNECTIONS = 1_000;
/** Connections that are made at one time. */
const WIDTH = 50;
const CALLS = { perSecond: 1, atOnce: 1_500 };
/** Of four callers, who together send 500 more than they may. */
const EACH = 500;
const SIGNALS = { perSecond: 1, atOnce: 50 };
const ID = 'capp/team-a/shop';

let stage: GatewayForTests;
let neighbour: Connection;
let token: string;
const flooding: RawCaller[] = [];
const codes: (number | null)[] = [];
beforeAll(async () => {
  stage = await startGateway(
    ['site-1', 'site-2', 'site-3', 'site-4', 'site-5'],
    { calls: CALLS, signals: SIGNALS },
    { room: { strangers: CONNECTIONS, ofSite: CONNECTIONS } },
  );
  neighbour = await stage.as(await stage.token('site-2'));
  token = await stage.token('site-1');
  await stage.ship('site-1', workOf('shop'));
  await stage.hub.workflow.start('nothing', { workflowId: ID, taskQueue: 'nobody' });
}, 300_000);

async function flooder(headers: { readonly authorization: string }): Promise<RawCaller> {
  const one = await rawCaller(stage.address, stage.authority);
  // Who is not known soon is cut.
  codes.push(await one.call('GetSystemInfo', headers, framed(Buffer.alloc(0))));
  return one;
}

afterAll(async () => {
  for (const one of flooding) one.close();
  await stage?.stop();
});

test('a thousand connections of one site get as many calls and signals as one of them would, while every call of its neighbour succeeds', async () => {
  const begun = Date.now();
  const ring = {
    namespace: 'default',
    workflowExecution: { workflowId: ID },
    signalName: 'ring',
    input: json({}),
  };
  const signal = framed(api.SignalWorkflowExecutionRequest.encode(ring).finish());
  const headers = { authorization: `Bearer ${token}` };
  while (flooding.length < CONNECTIONS)
    flooding.push(...(await Promise.all(Array.from({ length: WIDTH }, () => flooder(headers)))));
  const flood = flooding.flatMap((one) => [one.call('SignalWorkflowExecution', headers, signal)]);
  const own: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    await ask(stage.hub, 'site-2');
    own.push(await codeOf(complete(neighbour, await taskOf(neighbour, 'site-2'))));
    own.push(await codeOf(neighbour.workflowService.getSystemInfo({})));
  }
  codes.push(...(await Promise.all(flood)));
  const seconds = Math.ceil((Date.now() - begun) / 1_000);
  const answered = codes.filter((code) => code === status.OK).length;
  const refused = codes.filter((code) => code === status.RESOURCE_EXHAUSTED).length;
  expect(own).toEqual(own.map(() => 'OK'));
  // What waits too long to be read loses its connection.
  const cut = codes.filter((code) => code === null).length;
  expect(answered + refused + cut).toBe(2 * CONNECTIONS);
  expect(answered).toBeLessThanOrEqual(CALLS.atOnce + seconds * CALLS.perSecond);
  const { events } = await stage.hub.workflow.getHandle(ID).fetchHistory();
  const heard = (events ?? []).filter(({ workflowExecutionSignaledEventAttributes: said }) => said).length;
  expect(heard).toBeGreaterThan(0);
  expect(heard).toBeLessThanOrEqual(SIGNALS.atOnce + seconds * SIGNALS.perSecond);
});

test.each([
  ['calls that are refused', 'site-3', 'ListWorkflowExecutions', {}],
  ['calls that nobody knows', 'site-4', 'NoSuchCall', {}],
  ['calls of another content type', 'site-5', 'GetSystemInfo', { 'content-type': 'application/json' }],
])(
  'of a flood of %s as many are answered as a site may make, and the others late',
  async (_what, site, method, headers) => {
    const begun = Date.now();
    const authorization = `Bearer ${await stage.token(site)}`;
    const empty = framed(Buffer.alloc(0));
    const callers = await Promise.all(
      Array.from({ length: 4 }, () => rawCaller(stage.address, stage.authority)),
    );
    const flood = callers.flatMap((one) =>
      Array.from({ length: EACH }, () => one.call(method, { ...headers, authorization }, empty)),
    );
    expect(await codeOf(neighbour.workflowService.getSystemInfo({}))).toBe('OK');
    const said = await Promise.all(flood);
    const seconds = Math.ceil((Date.now() - begun) / 1_000);
    const denied = said.filter((code) => code === status.PERMISSION_DENIED).length;
    expect(denied).toBeLessThanOrEqual(CALLS.atOnce + seconds * CALLS.perSecond);
    expect(said).toContain(status.RESOURCE_EXHAUSTED);
    expect(said.every((code) => code !== status.UNIMPLEMENTED)).toBe(true);
    for (const one of callers) one.close();
  },
);
