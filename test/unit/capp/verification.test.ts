// How a Capp's workflow has a copy verified: only what is Ready of the present generation, and a verdict
// counts for exactly the stamp and the order that were asked about.
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import { migratingOf } from '../../../workflows/capp/conditions/migrating.ts';
import { fingerprintOf } from '../../../workflows/capp/conditions/publication.ts';
import { afterVerified, verifying } from '../../../workflows/capp/after/verification.ts';
import { withApplied } from '../../../workflows/capp/after/apply.ts';
import { begun } from '../../../workflows/capp/after/moving/moved.ts';
import { abandoned } from '../../../workflows/capp/after/moving/abandoned.ts';
import { nextStep } from '../../../workflows/capp/next/next-step.ts';
import type { Verified } from '../../../workflows/capp/verifier.ts';
import { toBeVerified } from '../../../workflows/capp/facts/verification.ts';
import { verificationSaid } from '../../../activities/hub/status/verification.ts';
import { readState } from '../../../workflows/parse/start.ts';
import {
  judge,
  unmeasured,
  type Figures,
  type VerificationOrder,
} from '../../../workflows/types/verification.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Copy } from '../../../workflows/types/copy.ts';
import type { Move } from '../../../workflows/types/moves.ts';
import { aCapp } from '../../support/builders/capps.ts';
import {
  aCopy,
  aFinding,
  aLeave,
  aMove,
  aPlacedState,
  applied,
  MINUTE,
  NOW,
} from '../../support/builders/states.ts';

const ORDER: VerificationOrder = {
  key: 'key-1',
  checks: [
    {
      name: 'answers',
      path: '/healthz',
      expect: 'status == 200',
      intervalMs: 1_000,
      count: 2,
      failureLimit: 0,
      inconclusiveLimit: 1,
    },
  ],
};
const OTHER: VerificationOrder = { ...ORDER, key: 'key-2' };
const STAMP = 'uid-1/1/hash/one';
const counted = (plain: Partial<Figures>): Figures => ({
  name: 'answers',
  successful: 0,
  failed: 0,
  inconclusive: 0,
  errors: 0,
  last: [{ at: NOW, is: 'Failed', says: 'status 500' }],
  ...plain,
});
const GOOD = [counted({ successful: 2 })];
const BAD = [counted({ failed: 1 })];
const passed = judge(ORDER, 'site-1', GOOD, NOW);
const failed = judge(ORDER, 'site-1', BAD, NOW);
const unknown = unmeasured(ORDER, 'site-1', 'nobody answered.', NOW);

const READY = { stamp: STAMP, finding: aFinding(), order: ORDER } as const;

function ready(copy: Partial<Copy> = {}, plain: Partial<State> = {}): State {
  return aPlacedState({ generation: 1, ...plain }, { ...READY, generation: 1, ...copy });
}

test('a copy that is Ready, and about whose checks nothing is known, is verified', () => {
  expect(toBeVerified(ready())).toEqual([{ cluster: 'site-1', stamp: STAMP, order: ORDER }]);
});

test.each<[string, State]>([
  ['nothing is asked', aPlacedState({ generation: 1 }, { stamp: STAMP, finding: aFinding() })],
  ['it is not Ready', ready({ finding: aFinding('Progressing') })],
  ['nobody has reported on it', ready({ finding: null })],
  ['it is disabled', ready({ finding: aFinding('Ready', { reason: 'Disabled' }) })],
  ['its site does not have it', ready({ absentSince: NOW })],
  ['its agent is silent', ready({ silentSince: NOW })],
  ['its site is lost', ready({}, { unreachable: ['site-1'] })],
  ['a newer generation is to be shipped', ready({}, { generation: 2 })],
  ['it is paused', ready({}, { paused: true })],
  ['it is being deleted', ready({}, { retiring: true })],
  ['there is a verdict', ready({ verification: passed })],
])('nothing is verified when %s', (_what, state) => {
  expect(toBeVerified(state)).toEqual([]);
});

test('a verdict by another order is none', () => {
  expect(toBeVerified(ready({ order: OTHER, verification: passed }))).toHaveLength(1);
});

const asking = { cluster: 'site-1', stamp: STAMP, order: ORDER };
const news: Verified = { ...asking, outcome: 'Checked', checked: { figures: GOOD } };

test('an answer counts for the stamp and the order that were asked about, and for nothing else', () => {
  expect(afterVerified(ready(), news, NOW).copies['site-1']?.verification?.verdict).toBe('Passed');
  const former = ready({ stamp: 'uid-1/2/hash/one' });
  expect(afterVerified(former, news, NOW)).toBe(former);
  const asked = ready({ order: OTHER });
  expect(afterVerified(asked, news, NOW)).toBe(asked);
  const elsewhere = aPlacedState();
  expect(afterVerified(elsewhere, { ...news, cluster: 'site-9' }, NOW)).toBe(elsewhere);
});

test('a late answer, told once more, changes nothing that has gone on', () => {
  const after = afterVerified(ready(), news, NOW);
  const shipped = withApplied(after, 'site-1', applied({ generation: 2, stamp: 'uid-1/2/other/one' }));
  expect(shipped.copies['site-1']?.verification).toBeUndefined();
  expect(afterVerified(shipped, news, NOW)).toBe(shipped);
});

test.each<[string, Verified]>([
  ['nobody answers', { ...asking, outcome: 'Unanswered', why: 'its agent does not know checks yet.' }],
  ['the site does not have that stamp', { ...asking, outcome: 'Absent' }],
  ['the site leaves every check out', { ...asking, outcome: 'Checked', checked: { figures: [] } }],
])('the verdict is inconclusive when %s', (_what, answer) => {
  const after = afterVerified(ready(), answer, NOW);
  expect(after.copies['site-1']?.verification?.verdict).toBe('Inconclusive');
  // It is not asked for again by itself.
  expect(toBeVerified(after)).toEqual([]);
});

test('another stamp or another order begins with no verdict, and the same keeps its own', () => {
  const before = ready({ verification: passed, verifyBy: NOW });
  const of = (plain: Parameters<typeof applied>[0]) =>
    withApplied(before, 'site-1', applied({ stamp: STAMP, ...plain })).copies['site-1'];
  expect(of({ order: ORDER })).toMatchObject({ verification: passed, verifyBy: NOW });
  expect(of({ order: OTHER })).toMatchObject({ order: OTHER });
  expect(of({ order: OTHER })?.verification).toBeUndefined();
  expect(of({ order: ORDER, stamp: 'uid-1/1/new/one' })?.verification).toBeUndefined();
  expect(of({ stamp: 'uid-1/1/new/one' })?.order).toBeUndefined();
});

test('a workflow that was started over keeps a site failed on the content that has failed there', () => {
  const before = aPlacedState({ generation: 1, copies: {} });
  const of = (plain: Parameters<typeof applied>[0], state = before) =>
    withApplied(state, 'site-1', applied({ stamp: STAMP, order: ORDER, failed, ...plain }));
  const after = of({});
  expect(after.copies['site-1']?.verification).toEqual(failed);
  expect(toBeVerified(after)).toEqual([]);
  expect(of({ order: OTHER }).copies['site-1']?.verification).toBeUndefined();
  // What the workflow has found out itself, or is about to, counts.
  expect(of({}, ready({ verification: passed })).copies['site-1']?.verification).toEqual(passed);
  expect(of({}, ready({ verifyBy: NOW })).copies['site-1']?.verification).toBeUndefined();
  // The new copy of a move is checked once more by each try.
  const move = moving({}, {}, { to: 'site-1' });
  const coming = { ...move, serving: 'site-2', copies: {} };
  expect(of({}, coming).copies['site-1']?.verification).toBeUndefined();
});

test('what is found is said with its figures, once it is about what is there', () => {
  const said = (state: State) => conditionsOf(state, NOW).find(({ type }) => type === 'Verified') ?? null;
  expect(said(ready())).toMatchObject({ status: 'Unknown', reason: 'ChecksRunning' });
  expect(said(ready({ verification: passed }))).toMatchObject({ status: 'True', reason: 'ChecksPassed' });
  expect(said(ready({ verification: unknown }))).toMatchObject({
    status: 'Unknown',
    reason: 'ChecksInconclusive',
  });
  const bad = ready({ verification: failed });
  expect(said(bad)).toMatchObject({ status: 'False', reason: 'ChecksFailed', observedGeneration: 1 });
  expect(said(bad)?.message).toContain('1 failed (failureLimit 0)');
  expect(conditionsOf(bad, NOW).find(({ type }) => type === 'Ready')?.status).toBe('True');
  expect(verificationSaid(aCapp(), bad).verification).toMatchObject({
    key: 'key-1',
    generation: 1,
    site: 'site-1',
    stamp: STAMP,
    verdict: 'Failed',
    checks: [{ name: 'answers', is: 'Failed', measurements: [{ is: 'Failed', says: 'status 500' }] }],
  });
  expect(verificationSaid(aCapp(), ready({ order: OTHER, verification: failed }))).toEqual({});
  expect(fingerprintOf(ready(), NOW)).not.toBe(fingerprintOf(bad, NOW));
});

test('a checkpoint of a copy that is verified is read, and one that lies about it is not', () => {
  const state = ready({ verification: failed, verifyBy: NOW });
  expect(readState(JSON.parse(JSON.stringify(state)), 'capp/apps/app')?.copies).toEqual(state.copies);
  const lie = {
    ...state,
    copies: { 'site-1': { ...state.copies['site-1'], verification: { verdict: 'Passed' } } },
  };
  expect(readState(lie, 'capp/apps/app')?.copies).toEqual({});
});

/** A move from site-1, which serves. */
function moving(copy: Partial<Copy> = {}, plain: Partial<State> = {}, move: Partial<Move> = {}): State {
  return aPlacedState({
    generation: 1,
    copies: {
      'site-1': aCopy({ finding: aFinding(), generation: 1 }),
      'site-2': aCopy({ ...READY, generation: 1, ...copy }),
    },
    move: aMove(move),
    ...plain,
  });
}

test.each<[string, string, State]>([
  ['users stay while nobody has answered', 'rest', moving()],
  ['users are sent there when all checks have passed', 'switch', moving({ verification: passed })],
  ['users stay when nobody knows', 'rest', moving({ verification: unknown })],
  ['the move is given up at once when a check has failed', 'abandon', moving({ verification: failed })],
  [
    'the move is given up at its deadline',
    'abandon',
    moving({ verification: unknown }, {}, { deadline: NOW }),
  ],
  ['a lost site never waits', 'switch', moving({}, { unreachable: ['site-1'] })],
  [
    'a person who forces the move does not wait',
    'switch',
    moving({}, {}, { request: { source: 'force', id: '1', to: 'site-2', by: '', why: '', force: true } }),
  ],
  ['a verdict on other content is none', 'rest', moving({ verification: { ...passed, key: 'key-0' } })],
])('%s', (_what, step, state) => {
  expect(nextStep(state, NOW).do).toBe(step);
});

test('a move says what it waits for, and what it was given up for', () => {
  expect(migratingOf(moving(), NOW)).toMatchObject({ status: 'True', reason: 'AwaitsChecks' });
  const bad = moving({ verification: failed });
  expect(migratingOf(bad, NOW).message).toContain('Check answers failed');
  expect(abandoned(bad, NOW, 'Failed').lastMove?.message).toContain('Given up: Check answers failed');
});

test('a move waits for its checks once, whatever begins again', () => {
  const begun = verifying(moving({}, {}, { deadline: NOW + MINUTE }), 'site-2', NOW);
  const deadline = begun.move?.deadline ?? 0;
  expect(deadline).toBeGreaterThan(NOW + MINUTE);
  expect(verifying(begun, 'site-2', NOW + 5 * MINUTE).move?.deadline).toBe(deadline);
});

test('another try has a copy checked once more, whatever an earlier one came to', () => {
  const judged = aCopy({ ...READY, generation: 1, verification: failed, verifyBy: NOW });
  const copies = { 'site-1': aCopy({ finding: aFinding(), generation: 1 }), 'site-2': judged };
  const again = begun(aPlacedState({ generation: 1, copies, leave: aLeave({ to: 'site-2' }) }), NOW);
  expect(again.copies['site-2']?.verification).toBeUndefined();
  expect(again.copies['site-2']?.verifyBy).toBeUndefined();
});
