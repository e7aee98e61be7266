// When a pause ends, what agents said before it does not count, and each way out of it asks the site again.
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { afterAnswer, reporting } from '../../../../workflows/capp/after/answer.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';

import type { Applied } from '../../../../workflows/ports/applied.ts';
import {
  aCopy,
  aFinding,
  anAnswer,
  applied,
  aPlacedState,
  NOW,
  refused,
} from '../../../support/builders/states.ts';

const READY = { finding: aFinding(), heard: true, heardAt: NOW };
const copies = { 'site-1': aCopy(READY), 'site-2': aCopy({ ...READY, wanted: false }) };
const paused = withApplied(aPlacedState({ copies }), 'site-1', {
  outcome: 'Paused',
  generation: 1,
  at: NOW,
});

test.each<[string, Applied]>([
  ['the Capp is shipped', applied({ created: false })],
  ['the Capp cannot be shipped', refused()],
])('after a pause an unwanted copy is removed when the site has reported again: %s', (_how, answer) => {
  expect(nextStep(paused, NOW)).toEqual({ do: 'rest', until: null });
  const resumed = withApplied(paused, 'site-1', answer);
  expect(nextStep(resumed, NOW)).toEqual({ do: 'report', cluster: 'site-1' });
  const asked = reporting(resumed, 'site-1');
  expect(nextStep(asked, NOW)).toMatchObject({ do: 'rest' });
  const stamp = 'uid-1/1/hash/one';
  const heard = afterAnswer(asked, 'site-1', { stamp, answer: anAnswer() }, NOW);
  expect(nextStep(heard, NOW)).toEqual({ do: 'remove', clusters: ['site-2'] });
});
