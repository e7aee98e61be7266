// With `Recreate` an app never runs twice without a person's word, however its old site came to be in
// trouble; and says what it waits for.
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { withChoice } from '../../../../workflows/capp/decide/after-choice.ts';
import { withApplied } from '../../../../workflows/capp/decide/after-apply.ts';
import { withRing } from '../../../../workflows/capp/decide/rings.ts';
import { nextStep } from '../../../../workflows/capp/decide/next-step.ts';
import { afterFind } from '../../../../workflows/capp/decide/after-removal.ts';
import type { Move, Request } from '../../../../workflows/types/moves.ts';
import type { Choice } from '../../../../workflows/ports.ts';
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

/** After a look, with every ring answered. */
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

describe('on a lost site', () => {
  const lost = lookedAt(aPlacedState(), leaves(['site-1']));

  test('it does not begin to move, takes nobody’s turn, and says which word helps', () => {
    expect(nextStep(lost, NOW)).toEqual({ do: 'rest', until: null });
    expect(said(lost, 'Migrating')).toMatchObject({
      status: 'False',
      reason: 'AwaitsWord',
      message: expect.stringContaining(
        'kubectl -n apps annotate capp app --overwrite rcs.dana.io/force=site-2#1',
      ),
    });
  });

  test('a word that was answered already is not named again', () => {
    const again = { ...lost, annotated: { migrate: null, force: '1' } };
    expect(said(again, 'Migrating')?.message).toContain('force=site-2#2');
  });

  test('a plain request is not that word, and force is', () => {
    const asked: Request = { ...FORCED, source: 'signal', force: false };
    expect(nextStep(lookedAt(lost, leaves(['site-1'], asked)), NOW).do).toBe('rest');
    expect(nextStep(lookedAt(lost, leaves(['site-1'], FORCED)), NOW)).toEqual({ do: 'begin' });
  });

  test('an edit is answered at once: it is shipped to where the Capp is, and waits there', () => {
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

describe('a move that is under way when its old site is lost', () => {
  test('is off while the old copy has not begun to go', () => {
    const off = lookedAt(recreating(), leaves(['site-1']));
    expect(off).toMatchObject({ move: null, serving: 'site-1', copies: { 'site-1': { wanted: true } } });
    expect(said(off, 'Migrating')?.reason).toBe('AwaitsWord');
  });

  test('goes on by the word of a person', () => {
    expect(lookedAt(recreating({ request: FORCED }), leaves(['site-1'])).move).not.toBeNull();
  });

  const going = recreating({}, { copies: {}, leaving: { 'site-1': { since: NOW, lookedAtRing: 1 } } });

  test('waits for an old copy that was leaving, tells so, and looks whether the Capp has been edited or deleted meanwhile', () => {
    const lost = lookedAt(going, leaves(['site-1']));
    expect(nextStep(lost, NOW).do).toBe('rest');
    expect(said(lost, 'Migrating')?.reason).toBe('AwaitsWord');
    expect(nextStep(withRing(lost, rungFor('meta')), NOW)).toEqual({ do: 'choose' });
  });

  test('does not take a work that vanished from a lost site for a copy that stopped', () => {
    const lost = { ...going, unreachable: ['site-1'], ringsHeard: 2, ringsAnswered: 2 };
    const vanished = afterFind(lost, ['site-1'], NOTHING, { now: NOW, ringsHeard: 2 });
    expect(nextStep(vanished, NOW).do).toBe('rest');
    expect(nextStep({ ...vanished, move: aMove({ strategy: 'Recreate', request: FORCED }) }, NOW)).toEqual({
      do: 'switch',
    });
  });

  test('goes on when the site has cleaned up, or a person has given that copy up', () => {
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
