// Sends raw payloads to Temporal, as signals and as results of activities.
import type { Client } from '@temporalio/client';

/** A payload of Temporal's protocol. */
export interface RawPayload {
  readonly metadata?: Readonly<Record<string, Uint8Array>> | null;
  readonly data?: Uint8Array | null;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export function jsonPayload(text: string): RawPayload {
  return { metadata: { encoding: bytes('json/plain') }, data: bytes(text) };
}

/** Payloads that our workflows cannot read, by name. */
export const UNREADABLE_PAYLOADS: Readonly<Record<string, readonly RawPayload[] | null>> = {
  'no payload': null,
  'an empty list of payloads': [],
  'an empty payload': [{}],
  'an encoding nobody knows': [{ metadata: { encoding: bytes('binary/nonsense') }, data: bytes('x') }],
  'binary data': [{ metadata: { encoding: bytes('binary/plain') }, data: new Uint8Array([0, 255, 1, 254]) }],
  'an encryption that is not ours': [
    { metadata: { encoding: bytes('binary/encrypted') }, data: new Uint8Array(64) },
  ],
  'half a JSON': [jsonPayload('{"causes":["spec"')],
  'bytes that are no text': [
    { metadata: { encoding: bytes('json/plain') }, data: new Uint8Array([0xff, 0xfe, 0x22]) },
  ],
  null: [jsonPayload('null')],
  'a number': [jsonPayload('1e999')],
  'a text': [jsonPayload('"spec"')],
  'a list': [jsonPayload('[]')],
  'an object without anything': [jsonPayload('{}')],
  'fields of other kinds': [
    jsonPayload(
      '{"causes":7,"minimumVersions":[],"cluster":{},"answer":null,"entries":{"length":1},"to":["site-2"]}',
    ),
  ],
  'a list of nothing': [
    jsonPayload(
      '{"causes":[null,{},["spec"]],"entries":[null,7],"cluster":"","answer":"Perhaps","to":"NOT A SITE"}',
    ),
  ],
  'a thousand nested lists': [
    jsonPayload(
      `{"causes":${'['.repeat(1_000)}${']'.repeat(1_000)},"to":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
    ),
  ],
};

export async function signalRaw(
  client: Client,
  workflowId: string,
  signalName: string,
  payloads: readonly RawPayload[] | null,
): Promise<void> {
  const { namespace } = client.options;
  await client.workflowService.signalWorkflowExecution({
    namespace,
    workflowExecution: { workflowId },
    signalName,
    input: payloads === null ? null : { payloads: [...payloads] },
  });
}

/** Longer than a long poll of the server. */
const PATIENCE_MS = 120_000;

/** Completes the next activity of a queue with this result. Returns the activity's name. */
export async function answerRaw(
  client: Client,
  queue: string,
  payloads: readonly RawPayload[] | null,
): Promise<string> {
  const { namespace } = client.options;
  const poll = { namespace, taskQueue: { name: queue }, identity: 'a site that was taken over' };
  const task = await client.withDeadline(Date.now() + PATIENCE_MS, () =>
    client.workflowService.pollActivityTaskQueue(poll),
  );
  const result = payloads === null ? null : { payloads: [...payloads] };
  await client.workflowService.respondActivityTaskCompleted({ namespace, taskToken: task.taskToken, result });
  return task.activityType?.name ?? '';
}
