// What is not in the message: headers, namespaces, frames, compression, and tokens that were good once.
import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import type { Connection } from '@temporalio/client';
import { api } from '../../../gateway/calls/messages.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startGateway, workOf, type GatewayForTests } from '../../support/testbeds/door/gateway.ts';
import { framed, rawCaller, type RawCaller } from '../../../testbed/gateway-bytes.ts';
import { ask, codeOf, complete, json, outcomeOf, taskOf } from '../../support/testbeds/door/gateway-calls.ts';

const EMPTY = framed(Buffer.alloc(0));

let stage: GatewayForTests;
let one: Connection;
let raw: RawCaller;
let headers: { readonly authorization: string };
beforeAll(async () => {
  stage = await startGateway(['site-1', 'site-2']);
  const token = await stage.token('site-1');
  one = await stage.as(token);
  raw = await rawCaller(stage.address, stage.authority);
  headers = { authorization: `Bearer ${token}` };
}, 300_000);
afterAll(async () => {
  raw?.close();
  await stage?.stop();
});

/** The code of a call on a connection that it may lose. */
async function onItsOwn(method: string, body: Buffer, more: Readonly<Record<string, string>> = {}) {
  const caller = await rawCaller(stage.address, stage.authority);
  const code = await caller.call(method, { ...headers, ...more }, body);
  caller.close();
  return code;
}

/** It is there, and does what it should. */
async function answersOn(): Promise<void> {
  expect(await raw.call('GetSystemInfo', headers, EMPTY)).toBe(status.OK);
}

test('headers make nobody another, and no header of Temporal goes through', async () => {
  const other = `Bearer ${await stage.token('site-2')}`;
  const poll = framed(
    api.PollActivityTaskQueueRequest.encode({ taskQueue: { name: 'agent/site-2' } }).finish(),
  );
  for (const smuggled of [
    { 'authorization-bin': Buffer.from(other).toString('base64') },
    { 'x-forwarded-client-cert': 'Subject="CN=hub"', 'x-forwarded-for': '127.0.0.1' },
    { 'authorization-extras': other, 'temporal-namespace': 'default', 'caller-type': 'operator' },
  ])
    expect(await raw.call('PollActivityTaskQueue', { ...headers, ...smuggled }, poll)).toBe(
      status.PERMISSION_DENIED,
    );
  for (const authorization of [`${headers.authorization}, ${other}`, `Basic ${other}`, ''])
    expect(await raw.call('PollActivityTaskQueue', { authorization }, poll)).toBe(status.UNAUTHENTICATED);
  await answersOn();
});

test('the namespace of a request is not asked about: the gateway’s own is meant', async () => {
  const workflowId = 'capp/team-a/shop';
  await stage.ship('site-1', workOf('shop'));
  await stage.hub.workflow.start('nothing', { workflowId, taskQueue: 'nobody' });
  const workflowExecution = { workflowId };
  await one.workflowService.signalWorkflowExecution({
    namespace: 'temporal-system',
    workflowExecution,
    signalName: 'ring',
    input: json({}),
  });
  const { events } = await stage.hub.workflow.getHandle(workflowId).fetchHistory();
  expect((events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes)).toHaveLength(1);
});

test('the token of an earlier try answers no later one, nor does one that has been used', async () => {
  const id = await ask(stage.hub, 'site-1', 'report', 2);
  const first = await taskOf(one, 'site-1');
  await one.workflowService.respondActivityTaskFailed({ namespace: 'default', taskToken: first });
  const second = await taskOf(one, 'site-1');
  expect(await codeOf(complete(one, first))).toBe('NOT_FOUND');
  expect(await outcomeOf(stage.hub, id)).toBeUndefined();
  await complete(one, second);
  await eventually(() => outcomeOf(stage.hub, id));
  expect(await codeOf(complete(one, second))).toBe('NOT_FOUND');
});

test('what is small and becomes large is refused, and so is what is nested without end', async () => {
  const bomb = framed(gzipSync(Buffer.alloc(64 * 1_048_576)), true);
  expect(await onItsOwn('SignalWorkflowExecution', bomb, { 'grpc-encoding': 'gzip' })).not.toBe(status.OK);
  await answersOn();
  expect(await raw.call('RespondActivityTaskFailed', headers, framed(nested(50_000)))).not.toBe(status.OK);
  await answersOn();
  const deep = Buffer.from('['.repeat(30_000));
  const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: deep };
  const taskToken = await (async () => {
    await ask(stage.hub, 'site-1');
    return taskOf(one, 'site-1');
  })();
  expect(await codeOf(complete(one, taskToken, { payloads: [payload] }))).toBe('INVALID_ARGUMENT');
  await complete(one, taskToken);
});

/** A failure whose cause has a cause, and so on: fields 2 (`failure`) and 4 (`cause`), innermost first. */
function nested(depth: number): Buffer {
  let length = 0;
  const heads: Buffer[] = [];
  for (let count = 0; count < depth; count += 1) {
    const head = Buffer.concat([Buffer.from([0x22]), varint(length)]);
    heads.push(head);
    length += head.length;
  }
  return Buffer.concat([Buffer.from([0x12]), varint(length), ...heads.toReversed()]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left >>>= 7) bytes.push((left & 127) | 128);
  return Buffer.from([...bytes, left]);
}

test('a second message, half a message and one that is larger than it says are no calls', async () => {
  expect(await onItsOwn('GetSystemInfo', Buffer.concat([EMPTY, EMPTY]))).not.toBe(status.OK);
  expect(await onItsOwn('GetSystemInfo', EMPTY.subarray(0, 3))).not.toBe(status.OK);
  const huge = Buffer.alloc(5);
  huge.writeUInt32BE(2 ** 31, 1);
  expect(await onItsOwn('GetSystemInfo', huge)).not.toBe(status.OK);
  await answersOn();
});

test('who goes on sending what is no call loses the connection, and no more of it is read', async () => {
  const mebibyte = Buffer.alloc(1_048_576);
  for (const first of [Buffer.concat([EMPTY, EMPTY]), framed(Buffer.alloc(10 * 1_048_576))]) {
    const caller = await rawCaller(stage.address, stage.authority);
    const sent = caller.begin('SignalWorkflowExecution', headers, first);
    const after = eventually(async () => {
      sent.more(mebibyte);
      return (await caller.call('GetSystemInfo', headers, EMPTY)) === null ? true : undefined;
    });
    expect(await after).toBe(true);
    caller.close();
  }
  await answersOn();
});

test('who sends his calls slowly, on all that he may have open, keeps nobody waiting', async () => {
  const two = await stage.as(await stage.token('site-2'));
  const slow = await rawCaller(stage.address, stage.authority);
  const halves = Array.from({ length: 128 }, () =>
    slow.begin('GetSystemInfo', headers, EMPTY.subarray(0, 3)),
  );
  expect(await codeOf(two.workflowService.getSystemInfo({}))).toBe('OK');
  await answersOn();
  for (const half of halves) half.end(EMPTY.subarray(3));
  expect(await Promise.all(halves.map(({ code }) => code))).toEqual(halves.map(() => status.OK));
  slow.close();
});
