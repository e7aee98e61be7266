// What a Capp's workflow does about works whose deletion has begun.
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { afterFind, withRetired } from '../../../../workflows/capp/after/removal.ts';
import type { WorksFound } from '../../../../workflows/types/removals.ts';
import { aCopy, aFinding, NOW } from '../../../support/builders/states.ts';
import { withExtra } from '../../../support/builders/moving.ts';

const READY = { finding: aFinding() };
const ASKED = { now: NOW, ringsHeard: 1 };
const NOTHING: WorksFound = { works: [], lost: {}, given: [] };

describe('a work that was being deleted', () => {
  const state = withExtra(
    {},
    { copies: { 'site-1': aCopy(READY) }, leaving: { 'site-2': { since: NOW, lookedAtRing: 0 } } },
  );

  test('is looked for, and not deleted again', () => {
    expect(nextStep(state, NOW)).toEqual({ do: 'find', clusters: ['site-2'] });
  });

  test('and is found without a deletion timestamp becomes an extra copy, which is removed only on grounds', () => {
    const found = afterFind(
      state,
      ['site-2'],
      { ...NOTHING, works: [{ cluster: 'site-2', leaving: false }] },
      ASKED,
    );
    expect(found).toMatchObject({ leaving: {}, copies: { 'site-2': { wanted: false, stamp: null } } });
    expect(nextStep({ ...found, unreachable: ['site-1'] }, NOW).do).toBe('rest');
  });

  test('and is gone is dropped from the state', () => {
    expect(afterFind(state, ['site-2'], NOTHING, ASKED).leaving).toEqual({});
  });

  test('is looked for again at the next ring when it could not be looked for', () => {
    const waiting = afterFind(state, ['site-2'], null, ASKED);
    expect(nextStep(waiting, NOW)).toEqual({ do: 'rest', until: null });
    expect(nextStep({ ...waiting, ringsHeard: 2, ringsAnswered: 2 }, NOW)).toEqual({
      do: 'find',
      clusters: ['site-2'],
    });
  });

  test('stays in the state when a retirement finds that the Capp still exists', () => {
    const lives = withRetired({ ...state, retiring: true }, { outcome: 'Alive' }, ASKED);
    expect(Object.keys(lives.leaving)).toEqual(['site-2']);
  });
});
