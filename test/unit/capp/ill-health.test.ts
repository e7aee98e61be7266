// What a Capp's workflow does about ill health that has counted for long enough, and what it says of it.
import { afterSilence, reporting } from '../../../workflows/capp/after/answer.ts';
import { withApplied } from '../../../workflows/capp/after/apply.ts';
import { begun } from '../../../workflows/capp/after/moving/moved.ts';
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import { illFrom, illnessOf } from '../../../workflows/capp/facts/health.ts';
import { askOf } from '../../../workflows/capp/next/questions.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Copy } from '../../../workflows/types/copy.ts';
import type { Leave, Move } from '../../../workflows/types/moves.ts';
import {
  BEARS,
  DAY,
  FAILED,
  hears,
  ill,
  LATE,
  leaves,
  looked,
  stays,
  STAMP,
  step,
  turned,
} from '../../support/builders/capp/ill.ts';
import { aCopy, aFinding, aLeave, applied, MINUTE, NOW } from '../../support/builders/states.ts';

describe('what is done', () => {
  test('it rests until then, asks its agent once more, and has it reviewed', () => {
    const state = turned();
    expect(step(state, NOW + 1)).toBe(`rest ${LATE}`);
    expect(step(state, LATE)).toBe('report site-1');
    const asked = reporting(state, 'site-1');
    expect(step(asked, LATE)).toBe('rest null');
    expect(askOf(asked).history).not.toHaveProperty('illness');
    const answered = hears(asked, FAILED, LATE + 3);
    expect(step(answered, LATE + 3)).toBe('choose');
    expect(askOf(answered).history?.illness).toEqual({
      since: NOW,
      turnedAt: NOW,
      generation: 1,
      says: 'RolloutFailed: It is Failed.',
    });
  });

  test('it is reported on, and not watched, within its deadline as well', () => {
    const young = {
      ...turned(),
      copies: { 'site-1': { ...turned().copies['site-1'], deadline: NOW + DAY } as Copy },
    };
    expect(step(young, NOW + 1)).toBe(`rest ${LATE}`);
    expect(step(young, LATE)).toBe('report site-1');
    expect(step(reporting(young, 'site-1'), LATE)).toBe(`rest ${NOW + DAY}`);
  });

  test('a recovery on the way is in time', () => {
    const asked = reporting(turned(), 'site-1');
    expect(step(hears(asked, aFinding(), LATE + 3), LATE + 3)).toBe('rest null');
    const leaving = looked(ill(), leaves(), LATE);
    expect(leaving.leave?.reason).toBe('Unhealthy');
    const well = hears(leaving, aFinding(), LATE + 3);
    expect([well.leave, illnessOf(well)]).toEqual([null, null]);
    // Whatever else holds of it is reviewed.
    expect(step(well, LATE + 3)).toBe('choose');
  });

  test('what is shipped or refused meanwhile ends a leave that nothing is the ground of any more', () => {
    const leaving = looked(ill(), leaves(), LATE);
    const other = applied({ stamp: 'uid-1/2/other/one', generation: 2, unhealthyMs: BEARS });
    expect(withApplied(leaving, 'site-1', other).leave).toBeNull();
    const refused = withApplied(leaving, 'site-1', {
      outcome: 'Refused',
      generation: 1,
      reason: 'MissingReference',
      message: 'It lacks a Secret.',
      at: LATE,
    });
    expect(refused.leave).toBeNull();
    const same = applied({ unhealthyMs: BEARS });
    expect(withApplied(leaving, 'site-1', same).leave).toBe(leaving.leave);
    const tainted = { ...leaving, leave: aLeave({ reason: 'Tainted' }) };
    expect(withApplied(tainted, 'site-1', other).leave).toBe(tainted.leave);
    // Once it can be shipped, it counts again.
    const mended = hears(withApplied(refused, 'site-1', same), FAILED, LATE + DAY);
    expect(illFrom(mended)).toBe(LATE + DAY + BEARS);
  });

  test('a leave for another reason stays when it recovers, and when it is silent', () => {
    const other = { ...ill(), leave: aLeave({ reason: 'NotSelected' }) };
    expect(hears(other, aFinding(), LATE + 3).leave).toBe(other.leave);
    expect(afterSilence(other, 'site-1', STAMP, LATE + 3).leave).toBe(other.leave);
    const own = { ...ill(), leave: aLeave({ reason: 'Unhealthy' }) };
    expect(afterSilence(own, 'site-1', STAMP, LATE + 3).leave).toBeNull();
  });

  test('a review that lets it stay is made once, and without a ring not again', () => {
    for (const reason of ['Unhealed', 'Pinned', 'Manual', 'NotMoving'] as const) {
      const state = looked(ill(), stays(reason), LATE);
      expect(step(state, LATE + 1)).toBe('rest null');
      expect(step(state, LATE + DAY)).toBe('rest null');
    }
  });

  test('where others hold it, it is reviewed again, ever more seldom', () => {
    let state = looked(ill(), stays('FleetUnhealthy'), LATE);
    expect(step(state, LATE + 1)).toBe(`rest ${LATE + 5 * MINUTE}`);
    expect(step(state, LATE + 5 * MINUTE)).toBe('choose');
    state = looked(state, stays('FleetUnhealthy'), LATE + 25 * MINUTE);
    expect(step(state, LATE + 26 * MINUTE)).toBe(`rest ${LATE + 55 * MINUTE}`);
    state = looked(state, stays('FleetUnhealthy'), LATE + DAY);
    expect(step(state, LATE + DAY + 1)).toBe(`rest ${LATE + DAY + 60 * MINUTE}`);
    expect(step(looked(state, stays('Unhealed'), LATE + DAY), LATE + 2 * DAY)).toBe('rest null');
  });

  test('without a candidate it is reviewed again, too', () => {
    const state = looked(ill(), leaves({ to: null }), LATE);
    expect(step(state, LATE + 1)).toBe(`rest ${LATE + 5 * MINUTE}`);
    expect(step(state, LATE + 5 * MINUTE)).toBe('choose');
    expect(conditionsOf(state, LATE).find(({ type }) => type === 'Migrating')).toMatchObject({
      reason: 'NoCandidate',
    });
  });
});

describe('it leaves', () => {
  const go = { permit: { askedAt: LATE, answer: 'Go' } } as const;
  const leaving = (state: State, plain: Partial<Leave> = {}): State => ({
    ...state,
    leave: aLeave({ reason: 'Unhealthy', lookedAt: LATE, since: LATE, ...go, ...plain }),
  });

  test('with its turn, by a report and a review of a moment ago', () => {
    expect(step(leaving(ill(), { permit: null }), LATE)).toBe('requestTurn site-1');
    expect(step(leaving(ill()), LATE)).toBe('begin');
    expect(step(leaving(ill()), LATE + MINUTE)).toBe('begin');
    expect(step(leaving(ill()), LATE + MINUTE + 1)).toBe('report site-1');
    const asked = reporting(leaving(ill()), 'site-1');
    expect(step(asked, LATE + MINUTE + 1)).toBe('rest null');
    const told = hears(asked, FAILED, LATE + MINUTE + 5);
    expect(step(told, LATE + MINUTE + 5)).toBe('choose');
    expect(step(looked(told, leaves(), LATE + MINUTE + 6), LATE + MINUTE + 6)).toBe('begin');
  });

  test('not within its cool-down, and by a review after that', () => {
    const terms = { ...aLeave().terms, cooldownMs: 10 * MINUTE };
    const cool = { ...leaving(ill(), { terms }), movedAt: NOW };
    expect(step(cool, LATE)).toBe(`rest ${NOW + 10 * MINUTE}`);
    expect(step(cool, NOW + 10 * MINUTE)).toBe('choose');
  });

  test('users stay where they are until the new copy is Ready, although nothing serves', () => {
    const coming = aCopy({
      stamp: 'uid-1/1/hash/two',
      finding: aFinding('Progressing'),
      work: { uid: 'w', applied: 'True', reason: '' },
    });
    const state = { ...begun(leaving(ill()), LATE), due: [] };
    const moving = { ...state, copies: { ...state.copies, 'site-2': coming } };
    expect(step(moving, LATE + 1)).toMatch(/^watch site-2/);
    const tainted = { ...moving, move: { ...moving.move, reason: 'Tainted' } as Move };
    expect(step(tainted, LATE + 1)).toBe('switch');
    const ready = hears(moving, aFinding(), LATE + 2, 'site-2');
    expect(step(ready, LATE + 2)).toBe('switch');
    const order = { key: 'k', checks: [] };
    const checked = {
      ...ready,
      copies: { ...ready.copies, 'site-2': { ...ready.copies['site-2'], order } as Copy },
    };
    expect(step(checked, LATE + 2)).not.toBe('switch');
    // What is Ready and does not pass is given up in time, whatever the old copy is like.
    expect(step(checked, LATE + 11 * MINUTE)).toBe('abandon');
    // So is what nobody has heard of.
    const unheard = { ...coming, finding: null, heard: false };
    const silent = { ...moving, copies: { ...moving.copies, 'site-2': unheard } };
    expect(step(silent, LATE + 11 * MINUTE)).toBe('abandon');
    const lost = { ...silent, move: { ...silent.move, reason: 'Tainted' } as Move };
    expect(step(lost, LATE + 11 * MINUTE)).not.toBe('abandon');
  });
});

test('what did not heal is stalled, with the words of both sites, until it is Ready again', () => {
  const state = looked(ill(), stays('Unhealed', 'Both sites say so.'), LATE);
  const said = (one: State, type: string) =>
    conditionsOf(one, LATE).find((condition) => condition.type === type);
  for (const [type, status] of [
    ['Stalled', 'True'],
    ['Migrating', 'False'],
  ] as const)
    expect(said(state, type)).toMatchObject({ status, reason: 'Unhealed', message: 'Both sites say so.' });
  const well = hears(state, aFinding(), LATE + 1);
  expect(said(well, 'Stalled')?.status).toBe('False');
  expect(said(well, 'Migrating')?.reason).toBe('NotMoving');
  // Also where a silence, or what was shipped since, has made it forget that a review knew of it.
  const silent = afterSilence(state, 'site-1', STAMP, LATE + 1);
  const { health: _health, ...fresh } = state.copies['site-1'] as Copy;
  for (const one of [silent, { ...state, copies: { 'site-1': fresh } }]) {
    expect(said(one, 'Stalled')?.status).toBe('True');
    const then = hears(one, aFinding(), LATE + 2);
    expect([said(then, 'Stalled')?.status, then.stays, then.due]).toEqual(['False', null, ['decision']]);
  }
});
