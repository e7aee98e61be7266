// Whether anything of a Capp is on a site that refuses it as another hub's: what may serve stays, and its
// agent is asked. What is gone goes on.
import { afterAnswer, afterSilence } from '../../../../workflows/capp/after/answer.ts';
import { afterApply } from '../../../../workflows/capp/after/apply.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { askOf, reportInquiry, verdictInquiry } from '../../../../workflows/capp/next/questions.ts';
import type { CappLife } from '../../../../workflows/capp/life.ts';
import { apply } from '../../../../workflows/capp/steps/ship.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Copy } from '../../../../workflows/types/copy.ts';
import {
  aFinding,
  aCopy,
  aLeave,
  aMove,
  aPlacedState,
  applied,
  MINUTE,
  NOW,
  workOfOthers,
} from '../../../support/builders/states.ts';

const SAYS = 'Namespace apps of site-1 belongs to hub hub-b, whose Secrets are there.';
const OTHERS = workOfOthers(SAYS);
const STAMP = 'uid-1/2/hash/two';

/** Its site has refused what was shipped now. */
function refused(copy: Partial<Copy>, answer: Parameters<typeof applied>[0] = {}): State {
  const before = aPlacedState({}, copy);
  return afterApply(before, before, {
    cluster: 'site-1',
    answer: applied({ work: OTHERS, stamp: STAMP, ...answer }),
    tellsFailure: true,
  });
}
const goes = (state: State): boolean => askOf(state).history?.otherHub === SAYS;
const says = (state: State, gone: boolean): State =>
  afterAnswer(state, 'site-1', { stamp: STAMP, answer: null, ...(gone ? { gone: true } : {}) }, NOW);

const UNSENT = { stamp: null, finding: null, heard: false } as const;
const LOST = { created: false, wasThere: true } as const;

/** None of these says that nothing of it is there. */
const MAY_BE_THERE: readonly (readonly [string, Partial<Copy>, Parameters<typeof applied>[0]])[] = [
  ['served', { finding: aFinding() }, {}],
  ['was sent, and nobody has said what became of it', { finding: null, heard: false }, {}],
  ['has failed, and may serve by now', { finding: aFinding('Failed') }, {}],
  ['was found, as after a loss of the data of Temporal', { stamp: null, finding: null, found: true }, {}],
  ['was sent by a first apply whose answer was lost', UNSENT, LOST],
];

test.each(MAY_BE_THERE)(
  'stays where an earlier stamp %s, until its agent says that it is gone',
  (_what, copy, answer) => {
    const state = refused(copy, answer);
    expect(goes(state)).toBe(false);
    expect(nextStep({ ...state, due: ['site'] }, NOW)).toEqual({ do: 'report', cluster: 'site-1' });
    expect(state.due).toContain('site');
    expect(reportInquiry(state, 'site-1')?.question.gone).toBe(true);
    // It may have kept what was there before.
    expect(goes(says(state, false))).toBe(false);
    expect(goes(afterSilence(state, 'site-1', STAMP, NOW))).toBe(false);
    const gone = says(state, true);
    expect(goes(gone)).toBe(true);
    expect(gone.due).toContain('decision');
    expect(reportInquiry(gone, 'site-1')?.question).not.toHaveProperty('gone');
  },
);

test('is asked once for a stamp, and not of a copy that its site takes', () => {
  const state = says({ ...refused({ finding: aFinding() }), due: [] }, false);
  const again = afterApply(state, state, {
    cluster: 'site-1',
    answer: applied({ work: OTHERS, stamp: STAMP }),
    tellsFailure: true,
  });
  expect(again.due).toEqual([]);
  const taken = refused({ finding: aFinding() }, { work: { uid: 'work-1', applied: 'True', reason: '' } });
  expect(reportInquiry(taken, 'site-1')?.question).not.toHaveProperty('gone');
  expect(verdictInquiry(state, 'site-1')?.question).not.toHaveProperty('gone');
});

test('goes when its agent says that what was refused while it served is there no more', () => {
  const serves = { ...refused({ stamp: STAMP, finding: aFinding() }), due: [] };
  expect(goes(serves)).toBe(false);
  expect(serves.due).toEqual([]);
  expect(reportInquiry(serves, 'site-1')?.question.gone).toBe(true);
  const gone = says(serves, true);
  expect(goes(gone)).toBe(true);
  expect(gone.due).toContain('decision');
  expect(says({ ...gone, due: [] }, true).due).toEqual([]);
});

test('stays when its agent has it no more that served: it may be another hub’s now, and serve', () => {
  const serves = { ...refused({ stamp: STAMP, finding: aFinding() }), due: [] };
  const unsure = says(serves, false);
  expect(goes(unsure)).toBe(false);
  // The question may be older than the refusal.
  expect(unsure.due).toEqual(['site']);
  expect(says({ ...unsure, due: [] }, false).due).toEqual([]);
  expect(reportInquiry(unsure, 'site-1')?.question.gone).toBe(true);
  expect(goes(says(unsure, true))).toBe(true);
});

test('stays also when that is heard before the refusal', () => {
  const before = says(aPlacedState({}, { stamp: STAMP, finding: aFinding() }), false);
  const state = afterApply(before, before, {
    cluster: 'site-1',
    answer: applied({ work: OTHERS, stamp: STAMP }),
    tellsFailure: true,
  });
  expect(goes(state)).toBe(false);
  expect(state.due).toContain('site');
  expect(reportInquiry(state, 'site-1')?.question.gone).toBe(true);
  expect(goes(says(state, true))).toBe(true);
});

test('goes at once where nothing was ever let in', () => {
  expect(goes(refused(UNSENT))).toBe(true);
  const never = refused(UNSENT, { stamp: 'uid-1/1/hash/one' });
  const edited = afterApply(never, never, {
    cluster: 'site-1',
    answer: applied({ work: OTHERS, stamp: STAMP }),
    tellsFailure: true,
  });
  expect(goes(edited)).toBe(true);
});

test('an answer of an earlier build is followed as it was', () => {
  const { asksThere: _asks, ...former } = OTHERS;
  expect(goes(refused({ finding: null, heard: false }, { work: former }))).toBe(true);
  expect(refused({ finding: aFinding() }, { work: former }).due).not.toContain('site');
});

test('does not go when its site lets it in before it has gone', () => {
  const leave = aLeave({ reason: 'OtherHub', message: SAYS });
  const leaving = { ...says(refused({ finding: aFinding() }), true), leave };
  const answer = { finding: aFinding(), mirror: null };
  expect(afterAnswer(leaving, 'site-1', { stamp: STAMP, answer }, NOW).leave).toBeNull();
  const tainted = { ...leaving, leave: aLeave({ reason: 'Tainted' }) };
  expect(afterAnswer(tainted, 'site-1', { stamp: STAMP, answer }, NOW).leave).not.toBeNull();
});

/** site-1 is lost, and site-2 is shipped to. Returns the state after, and what agents were asked. */
async function moved(answer: Parameters<typeof applied>[0], copy: Partial<Copy> = UNSENT) {
  const copies = { 'site-1': aCopy({ finding: aFinding() }), 'site-2': aCopy({ work: null, ...copy }) };
  const state = aPlacedState({ move: aMove({ reason: 'SiteLost' }), unreachable: ['site-1'], copies });
  const by = { apply: async () => applied({ stamp: STAMP, ...answer }), publish: async () => undefined };
  const told: unknown[] = [];
  const life = {
    state,
    runtime: { now: () => NOW, patched: () => true, localWrite: () => by, hub: () => by },
    noted: new Set(),
    agent: {
      drop: (cluster: string) => told.push(['drop', cluster]),
      ask: (inquiry: unknown) => told.push(inquiry),
    },
    record: null,
    unpublished: null,
  } as unknown as CappLife;
  await apply(life, 'site-2');
  return { state: life.state, told };
}

test('a move to a site that refuses what may be there asks its agent at once, and goes on when it is gone', async () => {
  const { state, told } = await moved({ work: OTHERS, ...LOST });
  expect(told).toMatchObject([
    ['drop', 'site-2'],
    { kind: 'report', cluster: 'site-2', question: { stamp: STAMP, gone: true } },
  ]);
  expect(nextStep({ ...state, due: [] }, NOW).do).not.toBe('abandon');
  const gone = afterAnswer(state, 'site-2', { stamp: STAMP, answer: null, gone: true }, NOW);
  expect(nextStep(gone, NOW)).toEqual({ do: 'abandon' });
  // It may be the last copy that serves.
  const silent = afterSilence(state, 'site-2', STAMP, NOW);
  expect(nextStep(silent, NOW + 60 * MINUTE)).toEqual({ do: 'extend' });
});

test.each<[string, Parameters<typeof applied>[0], Partial<Copy>]>([
  ['that lets it in', LOST, UNSENT],
  ['that refuses what was never there', { work: OTHERS }, UNSENT],
  // As a run of an earlier build went on.
  ['that refuses an edit', { work: OTHERS }, { stamp: 'uid-1/1/hash/one' }],
])('a move to a site %s asks nobody in the same moment', async (_what, answer, copy) => {
  expect((await moved(answer, copy)).told).toEqual([]);
});
