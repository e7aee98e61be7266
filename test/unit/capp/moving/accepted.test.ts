// Users are sent to a new copy only when its site has applied everything that its work carries: an app
// without its Secrets, or with Secrets of another owner, is not Ready.
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { afterAnswer } from '../../../../workflows/capp/after/answer.ts';

import { abandoned } from '../../../../workflows/capp/after/moving/abandoned.ts';
import { begun } from '../../../../workflows/capp/after/moving/moved.ts';
import type { Move } from '../../../../workflows/types/moves.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { WorkFacts } from '../../../../workflows/types/copy.ts';
import { aCopy, aFinding, aMove, aPlacedState, MINUTE, NOW } from '../../../support/builders/states.ts';

const NOT_OURS = {
  reason: 'NotOurs' as const,
  message: 'Secret keys already exists on site-2 and does not belong to Cappstan.',
};
const REFUSED: Partial<WorkFacts> = { applied: 'False', refused: NOT_OURS };
/** By a quota, a policy or a lack of rights of the site. */
const HELD: Partial<WorkFacts> = {
  applied: 'False',
  refused: { reason: 'Rejected', message: 'site-2 refuses Secret keys: ResourceQuota few', mayPass: true },
};
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
  ['the site has applied all of its work', 'switch', moving({ applied: 'True' })],
  ['its work carries nothing but the Capp', 'switch', moving({ withMore: undefined } as never)],
])('users are sent to a copy that is Ready when %s', (_when, step, state) => {
  expect(nextStep(state, NOW).do).toBe(step);
});

test.each<[string, string, State]>([
  ['OCM has not reported yet what the site has applied (the move waits)', 'rest', moving({})],
  [
    'the site could not apply all of its work (the move waits)',
    'rest',
    moving({ applied: 'False', reason: 'AppliedManifestWorkFailed' }),
  ],
  ['OCM has reported nothing by the deadline (the move is given up)', 'abandon', moving({}, { move: LATE })],
  ['the site refuses a Secret (the move is given up at once)', 'abandon', moving(REFUSED)],
  [
    'the site refuses a Secret in a forced move (the move is given up too)',
    'abandon',
    moving(REFUSED, { move: { request: FORCED } }),
  ],
  ['the site refuses a Secret and the old site is lost (the move waits)', 'rest', moving(REFUSED, LOST)],
  ['a quota has no room for a Secret (the move waits)', 'rest', moving(HELD)],
  [
    'a quota has no room for a Secret by the deadline (the move is given up)',
    'abandon',
    moving(HELD, { move: LATE }),
  ],
  ['a quota has no room for a Secret and the old site is lost (the move waits)', 'rest', moving(HELD, LOST)],
  [
    'the site still refuses the Secret at the deadline and the old site is lost (the deadline is extended)',
    'extend',
    moving(REFUSED, { ...LOST, move: LATE }),
  ],
])('users are not sent to a copy that is Ready while %s', (_why, step, state) => {
  expect(nextStep(state, NOW).do).toBe(step);
});

test('users are sent to a copy of which OCM has reported nothing by the deadline when the old site is lost', () => {
  expect(nextStep(moving({}, LOST), NOW).do).toBe('rest');
  expect(nextStep(moving({}, { ...LOST, move: LATE }), NOW).do).toBe('switch');
});

test('users of a lost site are sent to a copy that is Ready by the deadline, though a quota has no room for its Secret', () => {
  expect(nextStep(moving(HELD, { ...LOST, move: LATE }), NOW).do).toBe('switch');
});

test('the Migrating condition names what a quota of the new site has no room for', () => {
  const waiting = conditionsOf(moving(HELD), NOW).find(({ type }) => type === 'Migrating');
  expect(waiting?.message).toContain('It is delayed: site-2 refuses Secret keys: ResourceQuota few');
});

test('when the agent reports a copy as Ready and OCM has not reported on its work, the hub reads the work once more', () => {
  const answer = { finding: aFinding(), mirror: null };
  const told = (work: Partial<WorkFacts>): State =>
    afterAnswer(moving(work), 'site-2', { stamp: 'uid-1/1/hash/one', answer }, NOW);
  expect(nextStep(told({}), NOW)).toEqual({ do: 'apply', cluster: 'site-2' });
  expect(nextStep(told({ applied: 'True' }), NOW).do).toBe('switch');
  expect(told({ applied: 'False' }).ringsHeard).toBe(1);
});

test('the Migrating condition and the last move name what the new site refused', () => {
  const waiting = conditionsOf(moving(REFUSED, LOST), NOW).find(({ type }) => type === 'Migrating');
  expect(waiting).toMatchObject({ status: 'True', message: expect.stringContaining(NOT_OURS.message) });
  const after = abandoned(moving(REFUSED), NOW, 'Failed');
  expect(after).toMatchObject({ serving: 'site-1', avoid: { 'site-2': NOW + 10 * MINUTE } });
  expect(after.lastMove).toMatchObject({
    result: 'Failed',
    message: `site-1 is tainted NoSelect. Given up: ${NOT_OURS.message}`,
  });
});

test('the next move to a site that refused a copy applies the work again', () => {
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
