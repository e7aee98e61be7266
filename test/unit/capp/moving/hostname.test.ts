// A move from a site that answers for the Capp's hostname waits until the new site answers, too: with route
// and certificate, bounded, with a reason, and never for a lost site.
import { migratingOf } from '../../../../workflows/capp/conditions/migrating.ts';
import { afterAnswer } from '../../../../workflows/capp/after/answer.ts';
import { nextStep, type NextStep } from '../../../../workflows/capp/next/next-step.ts';
import { verdictInquiry } from '../../../../workflows/capp/next/questions.ts';
import { abandoned } from '../../../../workflows/capp/after/moving/abandoned.ts';
import { begun } from '../../../../workflows/capp/after/moving/moved.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Copy } from '../../../../workflows/types/copy.ts';
import type { Move } from '../../../../workflows/types/moves.ts';
import {
  aCopy,
  aFinding,
  aLeave,
  aMove,
  aPlacedState,
  MINUTE,
  NOW,
} from '../../../support/builders/states.ts';

const READY = { finding: aFinding() };
const LACKING = {
  finding: aFinding('Ready', {
    hostname: { reason: 'NotIssued', message: 'The certificate for a.example.com is not issued.' },
  }),
};
const LATE = { deadline: NOW };
const FORCED = { source: 'force' as const, id: '1', to: 'site-2', by: 'you', why: '', force: true };

function moving(
  move: Partial<Move> = {},
  copy: Partial<Copy> = LACKING,
  old: Partial<Copy> = READY,
  plain: Partial<State> = {},
): State {
  return aPlacedState({
    copies: { 'site-1': aCopy(old), 'site-2': aCopy(copy) },
    move: aMove(move),
    ...plain,
  });
}

const lost = { unreachable: ['site-1'] };
const switchedTo = { serving: 'site-2' };

test.each<[string, NextStep['do'], State]>([
  ['users stay while the new site has no certificate', 'watch', moving()],
  ['users are sent there once it has', 'switch', moving({}, READY)],
  ['the move is given up at its deadline, since the old site serves', 'abandon', moving(LATE)],
  ['a lost site never waits', 'switch', moving({}, LACKING, READY, lost)],
  [
    'an old copy that serves nobody never waits',
    'switch',
    moving({}, LACKING, { finding: aFinding('Failed') }),
  ],
  ['nobody waits for what the old site lacks as well', 'switch', moving({}, LACKING, LACKING)],
  ['a person who forces the move does not wait', 'switch', moving({ request: FORCED })],
  ['spec.migration.hostname: Ignore does not wait', 'switch', moving({ ignoresHostname: true })],
])('%s', (_, step, state) => {
  expect(nextStep(state, NOW).do).toBe(step);
});

test('while the new copy is Ready and its site does not answer for the hostname, its agent is asked for news of that', () => {
  expect(verdictInquiry(moving(), 'site-2')?.question.known).toEqual({
    verdict: 'Ready',
    reason: 'Ready',
    hostname: 'NotIssued',
  });
  expect(verdictInquiry(moving({}, READY), 'site-2')?.question.known).toEqual({
    verdict: 'Ready',
    reason: 'Ready',
  });
});

test('the condition Migrating says what the new site lacks, that users stay, and until when', () => {
  const { status, reason, message } = migratingOf(moving(), NOW);
  expect([status, reason]).toEqual(['True', 'AwaitsHostname']);
  expect(message).toContain('users stay on site-1 until site-2 answers for the hostname');
  expect(message).toContain('The certificate for a.example.com is not issued.');
  expect(message).toContain('until 2026-03-01T12:10:00Z, and is then given up');
  expect(message).toContain('rcs.dana.io/force=site-2#1');
  expect(migratingOf(moving({}, READY), NOW).reason).toBe('Moving');
});

test('a move that is given up for lack of a certificate says so in the record of the last move', () => {
  const { lastMove, serving, avoid } = abandoned(moving(LATE), NOW, 'Failed');
  expect(lastMove).toMatchObject({ result: 'Failed', to: 'site-2' });
  expect(lastMove?.message).toBe(
    'site-1 is tainted NoSelect. Given up: The certificate for a.example.com is not issued.',
  );
  expect(serving).toBe('site-1');
  expect(avoid).toEqual({ 'site-2': NOW + 10 * MINUTE });
});

describe('after users were sent there', () => {
  const asked = { confirmation: 'Asked' as const };
  const told = (state: State, copy: Partial<Copy>): State =>
    afterAnswer(
      state,
      'site-2',
      { stamp: aCopy().stamp ?? '', answer: { finding: copy.finding ?? aFinding(), mirror: null } },
      NOW,
    );

  test('a certificate that was revoked meanwhile keeps the old copy, until the new site has one again', () => {
    const revoked = told(moving(asked, READY, READY, switchedTo), LACKING);
    expect(revoked.move?.confirmation).toBe('Asked');
    expect(revoked.copies['site-1']?.wanted).toBe(true);
    expect(nextStep(revoked, NOW).do).toBe('watch');
    expect(told(revoked, READY).move?.confirmation).toBe('Given');
  });

  test('users are sent back at the deadline if it does not come again', () => {
    const revoked = told(
      moving({ ...asked, ...LATE, askedBack: { at: NOW, ringsHeard: 1 } }, READY, READY, switchedTo),
      LACKING,
    );
    expect(nextStep(revoked, NOW).do).toBe('abandon');
    expect(nextStep({ ...revoked, ...lost }, NOW).do).not.toBe('abandon');
  });
});

test('a move takes over from its terms that nobody waits for the hostname', () => {
  const leave = aLeave();
  const terms = { ...leave.terms, ignoresHostname: true as const };
  expect(begun(aPlacedState({ leave: { ...leave, terms } }), NOW).move?.ignoresHostname).toBe(true);
  expect(begun(aPlacedState({ leave }), NOW).move).not.toHaveProperty('ignoresHostname');
});
