// An agent may say that its site has nothing of a Capp: in a report, and with nothing beside it.
import { defaultPayloadConverter } from '@temporalio/common';
import { readResult } from '../../../gateway/calls/answers.ts';

const result = (value: unknown) => ({ payloads: [defaultPayloadConverter.toPayload(value)] });

test('that nothing of a Capp is there goes through with nothing beside it', () => {
  const passed = readResult('report', result({ gone: true, finding: { verdict: 'Ready' } }));
  expect(defaultPayloadConverter.fromPayload(passed)).toEqual({ gone: true });
});

test.each([
  ['report', { gone: 'yes' }],
  ['report', { gone: false }],
  ['awaitVerdict', { gone: true }],
])('%s with %j is no answer', (activity, value) => {
  expect(() => readResult(activity, result(value))).toThrow('cannot be read');
});
