// What was tried because a Capp was unhealthy is remembered: there is no third site.
import { afterSilence } from '../../../workflows/capp/after/answer.ts';
import { abandoned, shipFailed } from '../../../workflows/capp/after/moving/abandoned.ts';
import { begun, arrived, switched } from '../../../workflows/capp/after/moving/moved.ts';
import { fingerprintOf } from '../../../workflows/capp/conditions/publication.ts';
import { illnessOf } from '../../../workflows/capp/facts/health.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { memoryOf } from '../../../activities/hub/place/move-rules.ts';
import { hubPart } from '../../../activities/hub/status/status.ts';
import { readState } from '../../../workflows/parse/start.ts';
import type { Healing } from '../../../workflows/types/health.ts';
import type { Leave, Request } from '../../../workflows/types/moves.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { bearing, BEARS, DAY, FAILED, hears, ill, LATE, STAMP } from '../../support/builders/capp/ill.ts';
import { aCopy, aFinding, aLeave, MINUTE, NOW } from '../../support/builders/states.ts';

describe('what was tried', () => {
  const leaving = (state: State, plain: Partial<Leave> = {}): State => ({
    ...state,
    leave: aLeave({ reason: 'Unhealthy', ...plain }),
  });
  const gone = begun(leaving(ill()), LATE);

  test('is remembered with what the sites said', () => {
    expect(gone.healing).toEqual({
      generation: 1,
      from: 'site-1',
      to: 'site-2',
      moves: 1,
      said: { 'site-1': 'RolloutFailed: It is Failed.' },
    });
    const copy = aCopy({ stamp: 'uid-1/1/hash/two', finding: aFinding('Progressing') });
    const failed = abandoned({ ...gone, copies: { ...gone.copies, 'site-2': copy } }, LATE + 1, 'Failed');
    expect(failed.healing?.said['site-2']).toBe('Deploying: It is Progressing.');
    const shipped = aCopy({ stamp: 'uid-1/1/hash/two' });
    const unheard = abandoned({ ...gone, copies: { ...gone.copies, 'site-2': shipped } }, LATE + 1, 'Failed');
    expect(unheard.healing?.said['site-2']).toBe('nothing was heard of it.');
  });

  test.each(['Failed', 'Cancelled'] as const)('is nothing where nothing was shipped: %s', (result) => {
    expect(gone.copies['site-2']?.stamp).toBeNull();
    expect(abandoned(gone, LATE + 1, result).healing).toBeUndefined();
    const twice = { ...gone, healing: { ...(gone.healing as Healing), moves: 2 as const } };
    expect(abandoned(twice, LATE + 1, result).healing).toMatchObject({ moves: 1 });
  });

  test('is a site to which a ship failed, since an earlier try may have put the copy there', () => {
    const why = 'The Secret "app-key" may not be read.';
    const failed = shipFailed(gone, LATE + 1, why);
    expect(failed.move).toBeNull();
    expect(failed.lastMove).toMatchObject({ to: 'site-2', result: 'Failed' });
    expect(failed.lastMove?.message).toContain(`Given up: ${why}`);
    expect(failed.healing).toMatchObject({ moves: 1, said: { 'site-2': why } });
  });

  test('a move back is the second', () => {
    const there = {
      ...hears(bearing({}, { ...gone, move: null, leave: null }), FAILED, LATE),
      serving: 'site-2',
    };
    const back = begun(leaving(there, { from: 'site-2', to: 'site-1' }), LATE);
    expect(back.healing).toMatchObject({ from: 'site-1', to: 'site-2', moves: 2 });
  });

  test('counts for its generation alone', () => {
    expect(illnessOf({ ...ill(), healing: gone.healing as Healing })?.healing).toBe(gone.healing);
    expect(
      illnessOf({ ...ill(), healing: { ...(gone.healing as Healing), generation: 0 } }),
    ).not.toHaveProperty('healing');
    const next = begun(
      { ...leaving(ill()), healing: { ...(gone.healing as Healing), generation: 0, moves: 2 } },
      LATE,
    );
    expect(next.healing?.moves).toBe(1);
  });

  const request: Request = { source: 'migrate', id: '1', to: 'site-3', by: 'you', why: '', force: false };
  test.each<[string, Partial<Leave>, boolean]>([
    ['a person asks for a move', { reason: 'Asked', request }, false],
    ['a person names another site', { reason: 'SiteEdited' }, false],
    ['a drain moves it', { reason: 'Asked', request: { ...request, source: 'drain' } }, true],
    ['its site is lost', { reason: 'SiteLost' }, true],
    ['its site is tainted', { reason: 'Tainted' }, true],
  ])('is kept or forgotten when %s', (_what, plain, isKept) => {
    const state = begun({ ...leaving(ill(), plain), healing: gone.healing as Healing }, LATE);
    expect(state.healing !== undefined).toBe(isKept);
  });

  test('is forgotten after a day without trouble, and not before', () => {
    const healing = gone.healing as Healing;
    const well = (at: number): State => hears(bearing({}, { healing }), aFinding(), at);
    expect(hears(well(NOW - DAY), FAILED, NOW).healing).toBeUndefined();
    expect(hears(well(NOW - DAY + 1), FAILED, NOW).healing).toBe(healing);
    // Who turns unhealthy again and again has no such day.
    const often = hears(hears(well(NOW - DAY), FAILED, NOW - MINUTE), aFinding(), NOW - 1);
    expect(hears({ ...often, healing }, FAILED, NOW).healing).toBe(healing);
    const unknown = afterSilence(well(NOW - DAY), 'site-1', STAMP, NOW - MINUTE);
    expect(hears(unknown, FAILED, NOW).healing).toBe(healing);
  });

  test('outlives a run, a rebuild of Temporal, and the move itself', () => {
    const before = { ...ill(), healing: gone.healing as Healing };
    expect(readState(structuredClone(before), 'capp/apps/app')).toMatchObject({
      healing: gone.healing,
      unhealthyMs: BEARS,
      copies: { 'site-1': { health: { illSince: NOW } } },
    });
    const status = hubPart(aCapp(), { state: before, verdicts: [], record: null, at: LATE });
    expect(status?.migration).toMatchObject({
      unhealthySince: '2026-03-01T12:00:00Z',
      healing: { moves: 1 },
    });
    const silent = hears(afterSilence(before, 'site-1', STAMP, LATE + 1), FAILED, LATE + DAY);
    const still = hubPart(aCapp(), { state: silent, verdicts: [], record: null, at: LATE + DAY });
    expect(still?.migration?.unhealthySince).toBe('2026-03-01T12:00:00Z');
    expect(memoryOf({ ...aCapp(), status: status ?? {} }).healing).toEqual(gone.healing);
    expect(arrived(switched(gone), LATE).healing).toBe(gone.healing);
  });

  test('is published when it changes', () => {
    const healing = gone.healing as Healing;
    const said = fingerprintOf({ ...ill(), healing }, LATE);
    expect(said).not.toBe(fingerprintOf(ill(), LATE));
    expect(said).not.toBe(fingerprintOf({ ...ill(), healing: { ...healing, moves: 2 } }, LATE));
  });
});

test('a state with parts that are not what they must be is not taken', () => {
  for (const forged of [
    { healing: { generation: 1, from: 'a', to: 'b', moves: 3, said: {} } },
    { unhealthyMs: 'long' },
  ])
    expect(readState({ ...ill(), ...forged }, 'capp/apps/app')?.serving).toBeNull();
});
