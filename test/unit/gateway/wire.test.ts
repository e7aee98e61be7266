// What a site sends is cut to the fields that a rule reads before it is decoded: decoding all of it would
// hold the gateway's thread, and fill its memory, with one message that fits.
import { api, decoded } from '../../../gateway/calls/messages.ts';
import { SHAPES } from '../../../gateway/calls/shapes.ts';
import { cutOut, WHOLE, type WireShape } from '../../../gateway/calls/wire.ts';
import { json } from '../../support/testbeds/door/gateway-calls.ts';
import { timesAsLong } from '../../support/pace.ts';

/** The largest message that the gateway takes. */
const BYTES = 1_310_720;
const INPUT = json({ entries: [] });
const more = { header: { fields: { a: INPUT.payloads[0] ?? {} } }, links: [{}, {}], identity: 'me' };
const execution = { workflowId: 'capp/a/b' };

const READ = {
  poll: () =>
    decoded(
      api.PollActivityTaskQueueRequest,
      SHAPES.poll,
      api.PollActivityTaskQueueRequest.encode({
        namespace: 'n',
        taskQueue: { name: 'q', kind: 2, normalName: 'other' },
        workerInstanceKey: 'key',
      }).finish(),
    ),
  complete: () =>
    decoded(
      api.RespondActivityTaskCompletedRequest,
      SHAPES.complete,
      api.RespondActivityTaskCompletedRequest.encode({
        taskToken: Buffer.from('token'),
        result: { payloads: [...INPUT.payloads, ...INPUT.payloads] },
        deploymentOptions: { buildId: 'b' },
      }).finish(),
    ),
  fail: () =>
    decoded(
      api.RespondActivityTaskFailedRequest,
      SHAPES.fail,
      api.RespondActivityTaskFailedRequest.encode({
        taskToken: Buffer.from('token'),
        failure: { message: 'no', stackTrace: 's', cause: { message: 'deeper' } },
        lastHeartbeatDetails: INPUT,
      }).finish(),
    ),
  task: () =>
    decoded(
      api.RecordActivityTaskHeartbeatRequest,
      SHAPES.task,
      api.RecordActivityTaskHeartbeatRequest.encode({
        taskToken: Buffer.from('token'),
        details: INPUT,
      }).finish(),
    ),
  heartbeat: () =>
    decoded(
      api.RecordActivityTaskHeartbeatRequest,
      SHAPES.heartbeat,
      api.RecordActivityTaskHeartbeatRequest.encode({
        taskToken: Buffer.from('token'),
        details: INPUT,
        identity: 'another',
      }).finish(),
    ),
  signal: () =>
    decoded(
      api.SignalWorkflowExecutionRequest,
      SHAPES.signal,
      api.SignalWorkflowExecutionRequest.encode({
        workflowExecution: { ...execution, runId: 'run' },
        signalName: 'ring',
        input: INPUT,
        requestId: 'id',
        ...more,
      }).finish(),
    ),
};

test.each<[keyof typeof SHAPES, object]>([
  ['poll', { taskQueue: { name: 'q', kind: 2, normalName: 'other' }, namespace: '', workerInstanceKey: '' }],
  ['complete', { taskToken: Buffer.from('token'), deploymentOptions: null }],
  ['fail', { failure: { message: 'no', stackTrace: '', cause: null }, lastHeartbeatDetails: null }],
  ['task', { taskToken: Buffer.from('token'), details: null }],
  ['heartbeat', { taskToken: Buffer.from('token'), details: INPUT, identity: '' }],
  [
    'signal',
    {
      workflowExecution: { workflowId: 'capp/a/b', runId: '' },
      signalName: 'ring',
      requestId: 'id',
      header: null,
      links: [],
      identity: '',
    },
  ],
])('of %s what a rule reads is left, and nothing else', (call, expected) => {
  expect(READ[call]()).toMatchObject(expected);
});

test('payloads are left whole, and as many as there are', () => {
  const { result } = READ.complete();
  const text = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString();
  const told = (result?.payloads ?? []).map(({ metadata, data }) => [
    text(metadata?.['encoding']),
    text(data),
  ]);
  expect(told).toEqual(Array.from({ length: 2 }, () => ['json/plain', '{"entries":[]}']));
});

/** A field with a length. */
function field(number: number, body: Uint8Array): Buffer {
  const bytes: number[] = [];
  let left = body.length;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.concat([Buffer.from([number * 8 + 2, ...bytes, left]), body]);
}

/** A text that says to be a number, of four bytes: who took it for a text would go on inside the next one. */
const hidden = (body: Uint8Array): Buffer => Buffer.concat([Buffer.from([0x18, 4]), field(6, body)]);

const again = (bytes: readonly number[], length = BYTES - 32): Buffer =>
  Buffer.alloc(length, Buffer.from(bytes));
const keys = Buffer.concat(
  Array.from({ length: 100_000 }, (_, index) =>
    field(1, field(1, Buffer.from(index.toString(36).padStart(7)))),
  ),
);

describe('the worst that fits is refused at once', () => {
  const inventory = JSON.stringify({
    entries: Array.from({ length: 10_000 }, () => ({ name: 'x'.repeat(100) })),
  });
  const unit = (): unknown => JSON.parse(inventory);
  /** What is decoded takes a hundred times as long. */
  const TIMES = 3;

  test.each<[string, Buffer]>([
    ['empty payloads', field(4, again([0x0a, 0]))],
    ['a payload of empty metadata', field(4, field(1, again([0x0a, 0])))],
    ['a payload of many keys', field(4, field(1, keys))],
    ['empty inputs', again([0x22, 0])],
    ['links', again([0x52, 0])],
    ['empty payloads within a text', hidden(field(4, again([0x0a, 0], BYTES - 40)))],
    ['numbers that nobody knows', again([0x78, 0])],
    ['a number without an end', again([0xff])],
    ['groups', again([0x7b])],
  ])('of %s, without being decoded', (_what, bytes) => {
    expect(bytes.length).toBeLessThanOrEqual(BYTES);
    const read = (): unknown => {
      try {
        return decoded(api.SignalWorkflowExecutionRequest, SHAPES.signal, bytes);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(read()).toBe('The request is not a message of this call.');
    expect(timesAsLong(TIMES, read, unit)).toBeLessThan(TIMES);
  });

  test('a header of many fields costs what it costs to go past it', () => {
    const bytes = field(8, again([0x0a, 0]));
    const read = (): unknown => decoded(api.SignalWorkflowExecutionRequest, SHAPES.signal, bytes);
    expect(read()).toMatchObject({ header: null });
    expect(timesAsLong(TIMES, read, unit)).toBeLessThan(TIMES);
  });
});

const SHAPE: WireShape = { 1: WHOLE, 2: { 1: WHOLE } };

test.each<[string, readonly number[]]>([
  ['a text that ends too early', [0x0a, 2, 0x61]],
  ['a length without an end', [0x0a, 0x80]],
  ['a length of many bytes', [0x0a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]],
  ['a part that ends too early', [0x12, 2, 0x0a, 1]],
  ['a number that ends too early', [0x08, 0x80]],
  ['eight bytes that are seven', [0x09, 0, 0, 0, 0, 0, 0, 0]],
  ['field 0', [0x02, 0]],
  ['a group', [0x0b, 0x0c]],
])('%s is no message', (_what, bytes) => {
  expect(() => cutOut(Uint8Array.from(bytes), SHAPE)).toThrow('The message');
});

test('numbers of each kind are gone past, and what is kept stays in its order', () => {
  const kept = [0x0a, 1, 0x61, 0x12, 3, 0x0a, 1, 0x62, 0x08, 0x96, 0x01];
  const other = [0x18, 0xff, 0x7f, 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 0x2d, 1, 2, 3, 4, 0x32, 1, 0x63];
  expect([...cutOut(Uint8Array.from([...other, ...kept, ...other]), SHAPE)]).toEqual(kept);
  // A part whose inner fields are not kept.
  expect([...cutOut(Uint8Array.from([0x12, 5, 0x12, 3, 1, 2, 3]), SHAPE)]).toEqual([0x12, 0]);
});
