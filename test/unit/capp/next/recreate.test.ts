// With Recreate an app never runs on two sites unless a person forces it, however its old site was lost; and
// the conditions say what it waits for.
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { withChoice } from '../../../../workflows/capp/after/choice.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { withRing } from '../../../../workflows/capp/after/rings.ts';
import { abandoned } from '../../../../workflows/capp/after/moving/abandoned.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { afterFind } from '../../../../workflows/capp/after/removal.ts';
import type { Move, Request } from '../../../../workflows/types/moves.ts';
import type { Choice } from '../../../../workflows/ports/choice.ts';
import { rungFor } from '../../../../workflows/types/ring.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import {
  aCopy,
  aFinding,
  aMove,
  aPlacedState,
  MINUTE,
  NOW,
  stays,
} from '../../../support/builders/states.ts';

const READY = { finding: aFinding() };
const FORCED: Request = { source: 'force', id: '1', to: 'site-2', by: 'you', why: '', force: true };
const NOTHING = { works: [], lost: {}, given: [] };
const ASKED = { now: NOW, ringsHeard: 1 };
const TERMS = { holdMs: 0, cooldownMs: 0, deadlineMs: 10 * MINUTE, strategy: 'Recreate' } as const;

function leaves(unreachable: readonly string[], request: Request | null = null): Choice {
  const { outcome: _stays, reason: _reason, ...known } = stays();
  const record = {
    at: '',
    cluster: 'site-2',
    reason: 'Chosen',
    placement: 'all',
    candidates: [],
    excluded: [],
  };
  const going = {
    to: 'site-2',
    pinned: false,
    record,
    terms: { ...TERMS, inBulk: request === null },
    request,
    priority: 0,
    unreachable,
    message: 'site-1 cannot be reached',
  };
  return {
    ...known,
    ...going,
    outcome: 'Leaves',
    reason: request === null ? 'SiteLost' : 'Asked',
    generation: 1,
  };
}

/** After a placement review, with every ring answered. */
function lookedAt(state: State, look: Choice): State {
  const after = withChoice(state, look, ASKED);
  return { ...after, due: [], ringsReviewed: after.ringsHeard };
}

function recreating(move: Partial<Move> = {}, plain: Partial<State> = {}): State {
  return aPlacedState({
    copies: { 'site-1': aCopy({ ...READY, wanted: false }) },
    move: aMove({ strategy: 'Recreate', ...move }),
    ...plain,
  });
}

function said(state: State, type: string, now = NOW) {
  return conditionsOf(state, now).find((one) => one.type === type);
}

describe('a Capp with Recreate on a lost site', () => {
  const lost = lookedAt(aPlacedState(), leaves(['site-1']));

  test('does not begin a move or ask for a turn, and says which force annotation starts one', () => {
    expect(nextStep(lost, NOW)).toEqual({ do: 'rest', until: null });
    expect(said(lost, 'Migrating')).toMatchObject({
      status: 'False',
      reason: 'AwaitsConfirmation',
      message: expect.stringContaining(
        'kubectl -n apps annotate capp app --overwrite rcs.dana.io/force=site-2#1',
      ),
    });
  });

  test('names a new number for the force annotation when the present one was answered already', () => {
    const again = { ...lost, annotated: { migrate: null, force: '1' } };
    expect(said(again, 'Migrating')?.message).toContain('force=site-2#2');
  });

  test('does not move on a plain move request, and moves on a forced one', () => {
    const asked: Request = { ...FORCED, source: 'signal', force: false };
    expect(nextStep(lookedAt(lost, leaves(['site-1'], asked)), NOW).do).toBe('rest');
    expect(nextStep(lookedAt(lost, leaves(['site-1'], FORCED)), NOW)).toEqual({ do: 'begin' });
  });

  test('gets an edit at once, in the work for that site, where it waits', () => {
    const edited = withRing(lost, rungFor('spec'));
    expect(nextStep(edited, NOW)).toEqual({ do: 'apply', cluster: 'site-1' });
    const facts = {
      deadlineSeconds: 600,
      created: false,
      work: { uid: 'w', applied: 'Unknown' as const, reason: '' },
      at: NOW,
    };
    const shipped = withApplied(edited, 'site-1', {
      outcome: 'Applied',
      generation: 2,
      stamp: 'uid-1/2/hash/one',
      ...facts,
    });
    expect(said(shipped, 'Applied')).toMatchObject({
      status: 'Unknown',
      reason: 'SiteUnreachable',
      observedGeneration: 2,
    });
  });
});

describe('a Recreate move whose old site is lost while it is under way', () => {
  test('is cancelled when the old copy is not being deleted yet', () => {
    const off = lookedAt(recreating(), leaves(['site-1']));
    expect(off).toMatchObject({ move: null, serving: 'site-1', copies: { 'site-1': { wanted: true } } });
    expect(said(off, 'Migrating')?.reason).toBe('AwaitsConfirmation');
  });

  test('goes on when a person forced it', () => {
    expect(lookedAt(recreating({ request: FORCED }), leaves(['site-1'])).move).not.toBeNull();
  });

  const going = recreating({}, { copies: {}, leaving: { 'site-1': { since: NOW, lookedAtRing: 1 } } });

  test('waits for an old copy that is being deleted, says so, and still looks at the Capp when a ring arrives', () => {
    const lost = lookedAt(going, leaves(['site-1']));
    expect(nextStep(lost, NOW).do).toBe('rest');
    expect(said(lost, 'Migrating')?.reason).toBe('AwaitsConfirmation');
    expect(nextStep(withRing(lost, rungFor('meta')), NOW)).toEqual({ do: 'choose' });
  });

  test('does not take it for stopped when the work on the lost site is gone, unless a person forced the move', () => {
    const lost = { ...going, unreachable: ['site-1'], ringsHeard: 2, ringsAnswered: 2 };
    const vanished = afterFind(lost, ['site-1'], NOTHING, { now: NOW, ringsHeard: 2 });
    expect(nextStep(vanished, NOW).do).toBe('rest');
    expect(nextStep({ ...vanished, move: aMove({ strategy: 'Recreate', request: FORCED }) }, NOW)).toEqual({
      do: 'switch',
    });
  });

  test('goes on when the site has removed the old copy, or a person has abandoned it', () => {
    expect(nextStep(afterFind(going, ['site-1'], NOTHING, ASKED), NOW)).toEqual({ do: 'switch' });
    const given = afterFind(
      { ...going, unreachable: ['site-1'] },
      ['site-1'],
      { ...NOTHING, given: ['site-1'] },
      ASKED,
    );
    expect(nextStep(given, NOW)).toEqual({ do: 'switch' });
  });
});

test('has no site, and says what it waits for, when its move is cancelled after the old copy has gone', () => {
  const leaving = { 'site-1': { since: NOW, lookedAtRing: 1 } };
  const state = abandoned(recreating({}, { copies: {}, leaving }), NOW, 'Cancelled');
  expect(state).toMatchObject({ serving: null, move: null, stays: null });
  expect(conditionsOf(state, NOW).find(({ type }) => type === 'Placed')).toMatchObject({
    status: 'False',
    reason: 'StillLeaving',
  });
});

test('answers a request that cancelled its move once it has a site, if the old copy has gone', () => {
  const leaving = { 'site-1': { since: NOW, lookedAtRing: 1 } };
  const moving = recreating({}, { copies: {}, leaving });
  const asked = { ...leaves([], { ...FORCED, to: 'site-3' }), to: 'site-3' } as Choice;
  expect(withChoice(moving, asked, ASKED)).toMatchObject({
    serving: null,
    leave: null,
    request: { to: 'site-3' },
  });
});
