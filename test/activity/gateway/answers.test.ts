// A site answers the questions that it was asked, and those alone, in the words that the hub knows: through a
// gateway to a real Temporal, with tokens of a real API server.
import type { Connection } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { AGENT_ACCOUNT } from '../../../crds/hub/agent-identity.ts';
import { SERVICE_ACCOUNT } from '../../../crds/kubernetes/core.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startGateway, type GatewayForTests } from '../../support/testbeds/door/gateway.ts';
import {
  ANSWER,
  ask,
  codeOf,
  complete,
  json,
  outcomeOf,
  poll,
  taskOf,
} from '../../support/testbeds/door/gateway-calls.ts';

let stage: GatewayForTests;
let one: Connection;
let ten: Connection;
beforeAll(async () => {
  stage = await startGateway(['site-1', 'site-10']);
  one = await stage.as(await stage.token('site-1'));
  ten = await stage.as(await stage.token('site-10'));
}, 300_000);
afterAll(() => stage?.stop());

describe('answers', () => {
  test('to a task that the site got reach Temporal, once, written anew', async () => {
    const id = await ask(stage.hub, 'site-1');
    const token = await taskOf(one, 'site-1');
    await complete(one, token, json({ ...ANSWER, smuggled: 'x', finding: { ...ANSWER.finding, more: 1 } }));
    const outcome = await eventually(() => outcomeOf(stage.hub, id));
    const [payload] = outcome.result?.payloads ?? [];
    expect(defaultPayloadConverter.fromPayload(payload ?? {})).toEqual(ANSWER);
  });

  test('to the token of another site, with a changed bit, of a former ServiceAccount, or of Temporal itself are refused', async () => {
    await ask(stage.hub, 'site-10');
    const token = await taskOf(ten, 'site-10');
    expect(await codeOf(complete(one, token))).toBe('PERMISSION_DENIED');
    for (const at of [0, 5, 20, token.length - 1]) {
      const changed = Uint8Array.from(token);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await codeOf(complete(ten, changed))).toBe('PERMISSION_DENIED');
    }
    await ask(stage.hub, 'site-1');
    const raw = await eventually(async () => {
      const found = await poll(stage.hub.connection as Connection, 'agent/site-1');
      return found.taskToken?.length ? found.taskToken : undefined;
    });
    expect(await codeOf(complete(one, raw))).toBe('PERMISSION_DENIED');
    expect(await codeOf(complete(one, new Uint8Array()))).toBe('PERMISSION_DENIED');
    await stage.kube.remove(SERVICE_ACCOUNT, { namespace: 'site-10', name: AGENT_ACCOUNT });
    const again = await stage.as(await stage.token('site-10'));
    expect(await codeOf(complete(again, token))).toBe('PERMISSION_DENIED');
  });

  test.each([
    ['nothing', {}],
    ['an empty object', json({})],
    ['null', json(null)],
    [
      'bytes',
      { payloads: [{ metadata: { encoding: Buffer.from('binary/plain') }, data: Buffer.from('x') }] },
    ],
    ['two payloads', { payloads: [...json(ANSWER).payloads, ...json(ANSWER).payloads] }],
    ['more than 64 KiB', json({ ...ANSWER, mirror: { text: 'x'.repeat(70_000) } })],
    ['a verdict that nobody knows', json({ ...ANSWER, finding: { ...ANSWER.finding, verdict: 'Fine' } })],
  ])('of %s are refused, and the task waits on', async (_what, result) => {
    const id = await ask(stage.hub, 'site-1');
    const token = await taskOf(one, 'site-1');
    expect(await codeOf(complete(one, token, result))).toBe('INVALID_ARGUMENT');
    expect(await outcomeOf(stage.hub, id)).toBeUndefined();
    await complete(one, token);
    await eventually(() => outcomeOf(stage.hub, id));
  });

  test('that say failed bring no cause, no details, no delay and no type of their own', async () => {
    const id = await ask(stage.hub, 'site-1');
    const taskToken = await taskOf(one, 'site-1');
    await one.workflowService.respondActivityTaskFailed({
      namespace: 'default',
      taskToken,
      failure: {
        message: `it failed ${'x'.repeat(9_000)}`,
        stackTrace: 'at secret',
        cause: { message: 'cause' },
        canceledFailureInfo: { details: json({ a: 1 }) },
      },
      lastHeartbeatDetails: json({ forged: true }),
    });
    const outcome = await eventually(() => outcomeOf(stage.hub, id));
    const { failure } = outcome;
    expect(Buffer.byteLength(failure?.message ?? '')).toBeLessThanOrEqual(256);
    expect([failure?.stackTrace, failure?.cause, failure?.canceledFailureInfo ?? null]).toEqual([
      '',
      null,
      null,
    ]);
    expect(failure?.applicationFailureInfo).toMatchObject({ type: 'Unreachable', nonRetryable: false });
  });
});
