// An agent of a version that did not know the gateway comes through it: what such agents were recorded saying
// reaches the hub as it was said.
import { defaultPayloadConverter } from '@temporalio/common';
import { readResult } from '../../../gateway/calls/answers.ts';
import { api } from '../../../gateway/calls/messages.ts';
import { RULES } from '../../../gateway/calls/rules.ts';
import type { CallContext } from '../../../gateway/calls/call.ts';
import { cappWorkflowId, siteWorkflowId } from '../../../workflows/names.ts';
import { readInventory } from '../../../workflows/parse/inventory.ts';
import { wire } from '../../baseline/wire.ts';

const { answers, signals } = wire();
const payloads = (value: unknown) => ({ payloads: [defaultPayloadConverter.toPayload(value)] });
const site = { cluster: 'site-1', account: 'uid-1' };

test.each(answers)('its answer to $activity goes through unchanged', ({ activity, answer }) => {
  const passed = readResult(activity, payloads(answer));
  expect(defaultPayloadConverter.fromPayload(passed)).toEqual(answer);
});

async function signalled(workflowId: string, signalName: string, value: unknown): Promise<unknown> {
  const sent: { input: { payloads: object[] } }[] = [];
  const context = {
    namespace: 'default',
    hasWork: () => Promise.resolve(true),
    temporal: {
      workflowService: { signalWorkflowExecution: async (request: never) => void sent.push(request) },
      withAbortSignal: (_: unknown, work: () => unknown) => work(),
      withDeadline: (_: unknown, work: () => unknown) => work(),
    },
  } as unknown as CallContext;
  const request = api.SignalWorkflowExecutionRequest.encode({
    workflowExecution: { workflowId },
    signalName,
    input: payloads(value),
  }).finish();
  await RULES['SignalWorkflowExecution']?.rule(context, {
    site,
    request,
    signal: new AbortController().signal,
  });
  return defaultPayloadConverter.fromPayload(sent[0]?.input.payloads[0] ?? {});
}

test.each(signals.filter(({ signal }) => signal === 'audit'))(
  'its inventory goes through',
  async ({ args }) => {
    const passed = await signalled(siteWorkflowId('site-1'), 'audit', args[0]);
    expect(passed).toEqual(readInventory(args[0]));
  },
);

test('its ring goes through, and says no more than to look', async () => {
  const passed = await signalled(cappWorkflowId('team-a', 'shop'), 'ring', {
    causes: ['site'],
    minimumVersions: {},
  });
  expect(passed).toEqual({ causes: ['site'], minimumVersions: {} });
});
