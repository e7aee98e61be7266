// What a site may say of how far it is: of checks alone, as the hub reads their answer, and written again.
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { readProgress } from '../../../gateway/calls/answers.ts';
import { nothingMeasured } from '../../../workflows/types/verification.ts';

const sent = (value: unknown) => ({ payloads: [defaultPayloadConverter.toPayload(value)] });
const told = (payload: Payload | null): unknown =>
  payload === null ? null : defaultPayloadConverter.fromPayload(payload);
const FIGURES = [{ ...nothingMeasured('answers'), failed: 1 }];

test.each(['verify', 'verifyMetrics'])('of %s the figures are kept, and nothing beside them', (type) => {
  const given = { figures: FIGURES.map((one) => ({ ...one, secret: 'hunter2' })), secret: 'hunter2' };
  expect(told(readProgress(type, sent(given)))).toEqual({ figures: FIGURES });
});

test.each([
  ['another question', 'awaitVerdict', sent({ figures: FIGURES })],
  ['another question, as its answer is', 'report', sent(null)],
  ['a question that nobody asks', 'toString', sent({ figures: FIGURES })],
  ['checks, where nothing is said', 'verify', { payloads: [] }],
  ['checks, where nobody says anything', 'verify', null],
  ['checks, in words that nobody reads', 'verify', sent({ figures: 'many' })],
  ['checks, in more than 64 KiB', 'verify', sent({ figures: FIGURES, text: 'x'.repeat(70_000) })],
])('of %s nothing goes further, and the heartbeat does', (_what, type, details) => {
  expect(readProgress(type, details)).toBeNull();
});
