// From a site that refuses a Capp as another hub's to the next candidate, and the one after that: the states
// in between.
import { afterAnswer } from '../../../../workflows/capp/after/answer.ts';
import { afterApply } from '../../../../workflows/capp/after/apply.ts';
import { abandoned } from '../../../../workflows/capp/after/moving/abandoned.ts';
import { begun } from '../../../../workflows/capp/after/moving/moved.ts';
import { afterLook } from '../../../../workflows/capp/after/moving/reviewed.ts';
import { isHealthy } from '../../../../workflows/capp/facts/copies.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { askOf } from '../../../../workflows/capp/next/questions.ts';
import { review } from '../../../../workflows/placement/review.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { WorkFacts } from '../../../../workflows/types/copy.ts';
import { aField, NOT_ASKED, RULES } from '../../../support/builders/placement.ts';
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
  workOfOthers,
} from '../../../support/builders/states.ts';

const DAY = 86_400_000;
const SAYS = 'site-1 already has Secret key of hub hub-b, and keeps it.';
const OTHERS = workOfOthers(SAYS);
const hears = (state: State, work: WorkFacts): State =>
  afterApply(state, state, { cluster: 'site-1', answer: applied({ work }), tellsFailure: true });

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

test('an answer in the history of an earlier build is followed as it was: no review, and no move given up', () => {
  const { isOthers: _new, asksThere: _asks, ...former } = OTHERS;
  const after = hears(aPlacedState({}, {}), former);
  expect(after.due).toEqual([]);
  expect(askOf(after).history).not.toHaveProperty('otherHub');
  const next = hears(after, OTHERS);
  expect(next.due).toContain('decision');
  const copies = { 'site-1': aCopy({ finding: aFinding('Failed') }), 'site-2': aCopy({ heard: false }) };
  const moving = (work: WorkFacts) =>
    aPlacedState({ move: aMove(), copies: { ...copies, 'site-2': { ...copies['site-2'], work } } });
  expect(nextStep(moving(former), NOW).do).not.toBe('abandon');
  expect(nextStep(moving(OTHERS), NOW).do).toBe('abandon');
});

test('when the site lets it in it is reviewed once more: it need not go any more', () => {
  const refused = { ...hears(aPlacedState({}, {}), OTHERS), due: [] };
  const letIn = hears(refused, { uid: 'work-1', applied: 'True', reason: '' });
  expect(letIn.due).toContain('decision');
  expect(askOf(letIn).history).not.toHaveProperty('otherHub');
});

test.each([
  [
    'another refusal',
    { uid: 'work-1', applied: 'False', reason: '', refused: { reason: 'NotOurs', message: '' } } as const,
    {},
  ],
  ['a copy that serves', OTHERS, { finding: aFinding() }],
  ['a copy that served', OTHERS, { wasHealthy: true }],
])('%s is no reason to go', (_what, work, copy) => {
  const after = hears(aPlacedState({}, copy), work);
  expect(after.due).not.toContain('decision');
  expect(askOf(after).history).not.toHaveProperty('otherHub');
});

test('a copy that served once and is reported as failing now is left all the same', () => {
  const failing = { finding: { ...aFinding('Failed'), healthy: false }, wasHealthy: true };
  const after = hears(aPlacedState({}, failing), OTHERS);
  expect(after.due).toContain('decision');
  expect(askOf(after).history).toMatchObject({ otherHub: SAYS });
});

/** It served, what the hub shipped then is refused, and the site has only what it had before. */
function stillThere(move: Partial<State> = {}): State {
  const served = aPlacedState(move, { finding: aFinding() });
  const work = applied({ work: OTHERS, stamp: 'uid-1/2/hash/two' });
  const refused = afterApply(served, served, { cluster: 'site-1', answer: work, tellsFailure: true });
  const stamp = refused.copies['site-1']?.stamp ?? '';
  return afterAnswer(refused, 'site-1', { stamp, answer: null }, NOW);
}

test.each([
  ['the site has the former content alone', (state: State) => state],
  [
    'and what is shipped after that is refused, too',
    (state: State) =>
      afterApply(state, state, {
        cluster: 'site-1',
        answer: applied({ work: OTHERS, stamp: 'uid-1/3/hash/three' }),
        tellsFailure: true,
      }),
  ],
  [
    'and that is not on the site either',
    (state: State) => {
      const stamp = 'uid-1/3/hash/three';
      const next = afterApply(state, state, {
        cluster: 'site-1',
        answer: applied({ work: OTHERS, stamp }),
        tellsFailure: true,
      });
      return afterAnswer(next, 'site-1', { stamp, answer: null }, NOW);
    },
  ],
])('a copy that may still serve is no reason to go: %s', (_what, then) => {
  const after = then(stillThere());
  expect(isHealthy(stillThere().copies['site-1'])).toBe(false);
  expect(askOf(after).history).not.toHaveProperty('otherHub');
});

test('with Recreate the only copy stays, which its site keeps though it refuses what came after it', () => {
  const inputs = { ...aField({ works: { a: { leaving: false } } }), present: 'a' };
  const rules = { ...RULES, strategy: 'Recreate' } as const;
  const reviewed = (state: State) => {
    const { illness: _ill, ...history } = askOf(state).history ?? NOT_ASKED;
    return review(inputs, { ...NOT_ASKED, ...history }, rules, NOW);
  };
  expect(reviewed(stillThere()).goes).toBe(false);
  // Somebody has labelled what serves there as another hub's: its own hub's agent does not see it any more.
  const serves = hears(aPlacedState({}, { finding: aFinding() }), OTHERS);
  const stamp = serves.copies['site-1']?.stamp ?? '';
  expect(reviewed(afterAnswer(serves, 'site-1', { stamp, answer: null }, NOW)).goes).toBe(false);
  expect(reviewed(hears(aPlacedState({}, {}), OTHERS)).goes).toBe(true);
});

test('a new copy of a move that may still serve is not given up for the refusal', () => {
  const work = { work: OTHERS, finding: null, wasHealthy: true, heard: false, absentSince: NOW };
  const copies = { 'site-1': aCopy({ finding: aFinding('Failed') }), 'site-2': aCopy(work) };
  const moving = aPlacedState({ move: aMove(), copies });
  expect(nextStep(moving, NOW).do).not.toBe('abandon');
  const never = { ...copies, 'site-2': aCopy({ ...work, wasHealthy: false }) };
  expect(nextStep({ ...moving, copies: never }, NOW)).toEqual({ do: 'abandon' });
});

test('a move is given up whose new site has given the Ready copy to another hub', () => {
  const ready = aCopy({ finding: aFinding(), work: OTHERS });
  const copies = { 'site-1': aCopy({ finding: aFinding('Failed') }), 'site-2': ready };
  const moving = aPlacedState({ move: aMove(), copies });
  const stamp = ready.stamp ?? '';
  const relabelled = afterAnswer(moving, 'site-2', { stamp, answer: null }, NOW);
  expect(nextStep(relabelled, NOW + DAY)).toEqual({ do: 'abandon' });
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
  const { isOthers: _is, ...plain } = OTHERS;
  const rejected = { ...plain, refused: { reason: 'Rejected', message: '' } } as const;
  const others = { ...copies, 'site-1': aCopy(), 'site-2': aCopy({ work: rejected }) };
  expect(abandoned({ ...moving, copies: others }, NOW, 'Failed').avoid).toEqual({
    'site-2': NOW + 10 * MINUTE,
  });
});
