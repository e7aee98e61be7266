// From a site that refuses a Capp as another hub's to the next candidate, and the one after that: the states
// in between.
import { afterApply } from '../../../../workflows/capp/after/apply.ts';
import { abandoned } from '../../../../workflows/capp/after/moving/abandoned.ts';
import { begun } from '../../../../workflows/capp/after/moving/moved.ts';
import { afterLook } from '../../../../workflows/capp/after/moving/reviewed.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { askOf } from '../../../../workflows/capp/next/questions.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { WorkFacts } from '../../../../workflows/types/copy.ts';
import {
  aCopy,
  aFinding,
  aLeave,
  aMove,
  aPlacedState,
  applied,
  MINUTE,
  NOW,
  stays,
} from '../../../support/builders/states.ts';

const DAY = 86_400_000;
const SAYS = 'site-1 already has Secret key of hub hub-b, and keeps it.';
const OTHERS: WorkFacts = {
  uid: 'work-1',
  applied: 'False',
  reason: 'AppliedManifestWorkFailed',
  refused: { reason: 'OtherHub', message: SAYS },
};
const hears = (state: State, work: WorkFacts): State => afterApply(state, state, 'site-1', applied({ work }));

test('that it was refused so is heard once, and reviewed with what the site says', () => {
  const before = aPlacedState({}, {});
  expect(askOf(before).history).not.toHaveProperty('otherHub');
  const after = hears(before, OTHERS);
  expect(after.due).toContain('decision');
  expect(askOf(after).history).toMatchObject({ otherHub: SAYS });
  expect(nextStep(after, NOW)).toEqual({ do: 'choose' });
  const looked = afterLook({ ...after, due: [], ringsReviewed: after.ringsHeard }, stays(), NOW);
  expect(hears(looked, OTHERS).due).toEqual([]);
  expect(nextStep(looked, NOW).do).not.toBe('choose');
});

test('when the site lets it in it is reviewed once more: it need not go any more', () => {
  const refused = { ...hears(aPlacedState({}, {}), OTHERS), due: [] };
  const letIn = hears(refused, { uid: 'work-1', applied: 'True', reason: '' });
  expect(letIn.due).toContain('decision');
  expect(askOf(letIn).history).not.toHaveProperty('otherHub');
});

test.each([
  ['another refusal', { ...OTHERS, refused: { reason: 'NotOurs', message: '' } } as const, {}],
  ['a copy that serves', OTHERS, { finding: aFinding() }],
  ['a copy that served', OTHERS, { wasHealthy: true }],
])('%s is no reason to go', (_what, work, copy) => {
  const after = hears(aPlacedState({}, copy), work);
  expect(after.due).toEqual([]);
  expect(askOf(after).history).not.toHaveProperty('otherHub');
});

test('it leaves at once, alone, and the site is avoided for a day', () => {
  const terms = { ...aLeave().terms, inBulk: false };
  const leaves = {
    ...aPlacedState({}, { work: OTHERS }),
    leave: aLeave({ reason: 'OtherHub', message: SAYS, terms }),
  };
  expect(nextStep(leaves, NOW)).toEqual({ do: 'begin' });
  expect(begun(leaves, NOW)).toMatchObject({ move: { to: 'site-2' }, avoid: { 'site-1': NOW + DAY } });
  expect(begun({ ...leaves, leave: aLeave({ terms }) }, NOW).avoid).toEqual({});
});

test('a site of a move that refuses it so is given up at once, and avoided for a day, whatever failed before', () => {
  const copies = {
    'site-1': aCopy({ work: OTHERS, finding: aFinding('Failed') }),
    'site-2': aCopy({ work: OTHERS }),
  };
  const moving = aPlacedState({ move: aMove({ reason: 'OtherHub' }), copies });
  expect(nextStep(moving, NOW)).toEqual({ do: 'abandon' });
  expect(abandoned(moving, NOW, 'Failed')).toMatchObject({
    serving: 'site-1',
    avoid: { 'site-2': NOW + DAY },
    lastMove: { result: 'Failed', message: expect.stringContaining(SAYS) as string },
  });
  const rejected = { ...OTHERS, refused: { reason: 'Rejected', message: '' } } as const;
  const others = { ...copies, 'site-1': aCopy(), 'site-2': aCopy({ work: rejected }) };
  expect(abandoned({ ...moving, copies: others }, NOW, 'Failed').avoid).toEqual({
    'site-2': NOW + 10 * MINUTE,
  });
});
