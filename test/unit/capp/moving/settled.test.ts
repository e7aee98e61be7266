// A drain that counts a Capp as leaving or waiting always hears how that ended, whatever happened in between.
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { newsDue, awaited, told } from '../../../../workflows/capp/after/drains.ts';
import { abandoned } from '../../../../workflows/capp/after/moving/abandoned.ts';
import { arrived, begun, permitted, switched } from '../../../../workflows/capp/after/moving/moved.ts';
import type { Move, MoveRecord, Request } from '../../../../workflows/types/moves.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { random, type Random } from '../../../support/builders/random.ts';
import { aCopy, aFinding, aMove, aPlacedState, MINUTE, NOW } from '../../../support/builders/states.ts';
import { TERMS, ASKED, aGrantedLeave, said, settledOf } from '../../../support/builders/drain/leaves.ts';

/** The Capp has asked its drain for a turn, and the drain has answered Go. */
const letGo = awaited(aPlacedState({ leave: aGrantedLeave() }), 'site-1', NOW);
const moving = awaited(aPlacedState({ move: aMove() }), 'site-1', NOW);

describe('a drain that has given a Capp its turn hears', () => {
  test.each<[string, State, string, string]>([
    ['that it has moved', arrived(moving, NOW), 'Moved', 'Tainted'],
    ['that its move failed', abandoned(moving, NOW, 'Failed'), 'Failed', 'Tainted'],
    ['that its move was cancelled', abandoned(moving, NOW, 'Cancelled'), 'Cancelled', 'Tainted'],
    ['that it no longer has to leave', { ...letGo, leave: null }, 'Stayed', 'NotMoving'],
    [
      'the reason for which it stays',
      { ...letGo, leave: null, stays: { reason: 'Pinned', message: '' } },
      'Stayed',
      'Pinned',
    ],
    ['that it is being deleted, before its move', { ...letGo, retiring: true }, 'Stayed', 'Deleting'],
    ['that it is being deleted, during its move', { ...moving, retiring: true }, 'Stayed', 'Deleting'],
    ['that it was paused before its move', { ...letGo, paused: true }, 'Stayed', 'Paused'],
    ['that it was paused during its move', { ...moving, paused: true }, 'Stayed', 'Paused'],
    [
      'that no site can take it any more',
      { ...letGo, leave: aGrantedLeave({ to: null }) },
      'Stayed',
      'NoCandidate',
    ],
    [
      'until when its cool-down lasts',
      { ...letGo, movedAt: NOW, leave: aGrantedLeave({ terms: { ...TERMS, cooldownMs: MINUTE } }) },
      'Stayed',
      'CoolDown until 2026-03-01T12:01:00Z',
    ],
    [
      'until when its reason to leave has to hold',
      { ...letGo, leave: aGrantedLeave({ terms: { ...TERMS, holdMs: MINUTE } }) },
      'Stayed',
      'Stabilising until 2026-03-01T12:01:00Z',
    ],
    [
      'that it is served from another site',
      { ...letGo, leave: null, serving: 'site-2' },
      'Stayed',
      'Elsewhere',
    ],
    ['that it has no site', { ...letGo, leave: null, serving: null }, 'Stayed', 'Elsewhere'],
    [
      'that its move waits for a person to force it',
      { ...moving, unreachable: ['site-1'], move: aMove({ strategy: 'Recreate', reason: 'SiteLost' }) },
      'Stayed',
      'AwaitsConfirmation',
    ],
  ])('%s', (_name, state, outcome, reason) => {
    expect(said(state)).toEqual([['site-1', outcome, reason]]);
    expect(said(settledOf(state))).toEqual([]);
  });

  test.each<[string, State]>([
    ['while it has its turn', letGo],
    [
      'while it waits for its turn',
      { ...letGo, leave: aGrantedLeave({ permit: { askedAt: NOW, answer: 'Wait' } }) },
    ],
    ['while it moves', moving],
    ['while a move request that came after its turn is being decided', { ...letGo, request: ASKED }],
    [
      'while it leaves because of a move request that came after its turn',
      { ...letGo, leave: aGrantedLeave({ request: ASKED, permit: null, reason: 'Asked' }) },
    ],
    [
      'while it leaves because spec.site was edited after its turn',
      { ...letGo, leave: aGrantedLeave({ permit: null, reason: 'SiteEdited' }) },
    ],
    ['while users are sent to the new copy and the old copy is still there', switched(moving)],
  ])('nothing %s', (_name, state) => {
    expect(said(state)).toEqual([]);
  });

  test('how a move ended that a person requested after the turn was given, whichever site it went to', () => {
    const asked = {
      ...letGo,
      leave: aGrantedLeave({ to: 'site-3', request: ASKED, permit: null, reason: 'Asked' }),
    };
    expect(said(arrived(switched(begun(asked, NOW)), NOW + 1), NOW + 1)).toEqual([
      ['site-1', 'Moved', 'Asked'],
    ]);
  });

  test('nothing of a Capp that it does not await', () => {
    expect(said(arrived(aPlacedState({ move: aMove() }), NOW))).toEqual([]);
  });

  test('nothing of how an earlier move from its site ended', () => {
    const lastMove: MoveRecord = { ...aMove(), result: 'Moved', at: NOW - 1, request: null };
    expect(said({ ...letGo, leave: null, lastMove })).toEqual([['site-1', 'Stayed', 'NotMoving']]);
  });
});

describe('a turn that was not used', () => {
  test('has expired: the Capp asks for another one', () => {
    const state = settledOf({ ...letGo, leave: aGrantedLeave({ to: null }) });
    const again = { ...state, leave: { ...(state.leave ?? aGrantedLeave()), to: 'site-2' } };
    expect(nextStep(again, NOW)).toEqual({ do: 'requestTurn', cluster: 'site-1' });
    expect(permitted(again, { cluster: 'site-1', answer: 'Go' }, NOW)).toBe(again);
  });

  test('is awaited anew when the drain asks again while the news is on its way', () => {
    const before = { ...letGo, leave: null };
    const [due] = newsDue(before, NOW);
    if (due === undefined) throw new Error('something is due');
    const anew = awaited({ ...before, awaitedBy: {} }, 'site-1', NOW + 1);
    expect(told(anew, due)).toBe(anew);
  });
});

/**
 * A random state, whether or not a Capp can come to it, with its serving copy; a move request in it is due.
 */
function anyState(dice: Random): State {
  const maybe = <T>(value: T): T | null => (dice.chance(0.5) ? value : null);
  const site = () => dice.pick(['site-1', 'site-2', 'site-3']);
  const request = (): Request | null =>
    maybe({ ...ASKED, source: dice.pick(['signal', 'drain', 'migrate'] as const) });
  const permit = () =>
    maybe({ askedAt: NOW - dice.pick([0, 31_000]), answer: dice.pick(['Go', 'Wait', null] as const) });
  const terms = {
    ...TERMS,
    inBulk: dice.chance(0.5),
    holdMs: dice.pick([0, MINUTE]),
    cooldownMs: dice.pick([0, MINUTE]),
  };
  const leave = maybe(
    aGrantedLeave({ from: site(), to: maybe(site()), request: request(), permit: permit(), terms }),
  );
  const move: Move | null = maybe(
    aMove({ from: site(), to: site(), request: request(), reason: dice.pick(['SiteLost', 'Tainted']) }),
  );
  const serving = maybe(site());
  const clusters = ['site-1', 'site-2', 'site-3'].filter((name) => name === serving || dice.chance(0.6));
  const copies = Object.fromEntries(clusters.map((name) => [name, aCopy({ finding: aFinding() })]));
  const asked = request();
  const due: State['due'] = asked === null ? dice.pick([[], ['decision']]) : ['request'];
  const flags = {
    paused: dice.chance(0.2),
    retiring: dice.chance(0.2),
    movedAt: maybe(NOW),
    ringsHeard: 2,
    reviewed: 1,
  };
  return aPlacedState({ serving, copies, leave, move, request: asked, due, ...flags });
}

test('in any state a drain that awaits a Capp hears from it, or the Capp is moving, or a step or an open gate follows within an hour', () => {
  const dice = random(1);
  let goingOn = 0;
  for (let count = 0; count < 20_000; count += 1) {
    const state = awaited(anyState(dice), 'site-1', NOW);
    const news = newsDue(state, NOW);
    if (news.length > 0) {
      expect(newsDue(settledOf(state), NOW)).toEqual([]);
      continue;
    }
    goingOn += 1;
    const isMoving = state.move?.from === 'site-1';
    // In an hour every gate that is closed now is open.
    const next = nextStep(state, NOW + 60 * MINUTE);
    if (!isMoving && next.do === 'rest')
      throw new Error(`the drain hears nothing and no step follows: ${JSON.stringify(state)}`);
  }
  expect(goingOn).toBeGreaterThan(1_000);
});
