// A new copy gets the users only when its site has taken all that its work carries: what runs without its
// Secrets, or with somebody else's, is not Ready.
import { nextStep } from '../../../../workflows/capp/decide/next-step.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { afterAnswer } from '../../../../workflows/capp/decide/after-answer.ts';

import { abandoned, begun } from '../../../../workflows/capp/moving/moved.ts';
import type { Move } from '../../../../workflows/types/moves.ts';
import type { State, WorkFacts } from '../../../../workflows/capp/state.ts';
import { aCopy, aFinding, aMove, aPlacedState, MINUTE, NOW } from '../../../support/builders/states.ts';

const NOT_OURS = {
  reason: 'NotOurs' as const,
  message: "Secret keys is on site-2 already and is not Cappstan's.",
};
const REFUSED: Partial<WorkFacts> = { applied: 'False', refused: NOT_OURS };
const FORCED = { source: 'force' as const, id: '1', to: 'site-2', by: 'you', why: '', force: true };
const LATE = { deadline: NOW };
const LOST = { unreachable: ['site-1'] };

/** From site-1, which serves, to site-2, which calls its copy Ready. */
function moving(
  work: Partial<WorkFacts>,
  { move = {}, ...plain }: Partial<Omit<State, 'move'>> & { readonly move?: Partial<Move> } = {},
): State {
  const copy = aCopy({
    finding: aFinding(),
    work: { uid: 'w', applied: 'Unknown', reason: '', withMore: true, ...work },
  });
  return aPlacedState({
    copies: { 'site-1': aCopy({ finding: aFinding() }), 'site-2': copy },
    move: aMove(move),
    ...plain,
  });
}

test.each<[string, string, State]>([
  ['it has taken all of it', 'switch', moving({ applied: 'True' })],
  ['the Capp came alone', 'switch', moving({ withMore: undefined } as never)],
])('users are sent to a copy that is Ready when %s', (_when, step, state) => {
  expect(nextStep(state, NOW).do).toBe(step);
});

test.each<[string, string, State]>([
  ['OCM has not said so far what the site took: it is waited for', 'rest', moving({})],
  [
    'the site could not apply all of it: it is waited for',
    'rest',
    moving({ applied: 'False', reason: 'AppliedManifestWorkFailed' }),
  ],
  ['that is so until the deadline', 'abandon', moving({}, { move: LATE })],
  ['the site refuses a Secret: the move is given up at once', 'abandon', moving(REFUSED)],
  [
    'the site refuses a Secret, although a person forces the move',
    'abandon',
    moving(REFUSED, { move: { request: FORCED } }),
  ],
  ['the site refuses a Secret and the old site is lost: it waits', 'rest', moving(REFUSED, LOST)],
  ['the site still refuses it at the deadline', 'extend', moving(REFUSED, { ...LOST, move: LATE })],
])('users are not sent to a copy that is Ready while %s', (_why, step, state) => {
  expect(nextStep(state, NOW).do).toBe(step);
});

test('what OCM does not say by the deadline is not waited for any longer when nothing else serves', () => {
  expect(nextStep(moving({}, LOST), NOW).do).toBe('rest');
  expect(nextStep(moving({}, { ...LOST, move: LATE }), NOW).do).toBe('switch');
});

test('a copy whose agent calls it Ready is looked at on the hub once, if nobody knows what its site took', () => {
  const answer = { finding: aFinding(), mirror: null };
  const told = (work: Partial<WorkFacts>): State =>
    afterAnswer(moving(work), 'site-2', { stamp: 'uid-1/1/hash/one', answer }, NOW);
  expect(nextStep(told({}), NOW)).toEqual({ do: 'apply', cluster: 'site-2' });
  expect(nextStep(told({ applied: 'True' }), NOW).do).toBe('switch');
  expect(told({ applied: 'False' }).ringsHeard).toBe(1);
});

test('a move that a site refuses says so, while it waits and when it is over', () => {
  const waiting = conditionsOf(moving(REFUSED, LOST), NOW).find(({ type }) => type === 'Migrating');
  expect(waiting).toMatchObject({ status: 'True', message: expect.stringContaining(NOT_OURS.message) });
  const after = abandoned(moving(REFUSED), NOW, 'Failed');
  expect(after).toMatchObject({ serving: 'site-1', avoid: { 'site-2': NOW + 10 * MINUTE } });
  expect(after.lastMove).toMatchObject({
    result: 'Failed',
    message: `site-1 is tainted NoSelect. Given up: ${NOT_OURS.message}`,
  });
});

test('a copy that a site once refused is sent anew by the next move there', () => {
  const terms = {
    holdMs: 0,
    cooldownMs: 0,
    deadlineMs: 10 * MINUTE,
    strategy: 'MakeBeforeBreak' as const,
    inBulk: false,
  };
  const why = { reason: 'Tainted' as const, message: 'tainted', request: null, priority: 0, permit: null };
  const leave = { from: 'site-1', to: 'site-2', terms, since: NOW, lookedAt: NOW, ...why };
  const again = begun({ ...moving(REFUSED), move: null, leave }, NOW);
  expect(nextStep(again, NOW)).toEqual({ do: 'apply', cluster: 'site-2' });
});
