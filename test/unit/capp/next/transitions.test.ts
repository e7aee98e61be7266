// How the state changes with each ring, with the answer to it, and with a choice.
import { withChoice } from '../../../../workflows/capp/after/choice.ts';
import { withRing, answered } from '../../../../workflows/capp/after/rings.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { newest } from '../../../../workflows/types/ring.ts';
import { aPlacedState, aState, chosen, none, NOW } from '../../../support/builders/states.ts';

const ASKED = { now: NOW, ringsHeard: 1 };

describe('a ring', () => {
  test('adds its causes to those that are due, each once and in a fixed order', () => {
    const once = withRing(aState(), { causes: ['work', 'spec'], minimumVersions: {} });
    const twice = withRing(once, { causes: ['work'], minimumVersions: {} });
    expect(twice).toMatchObject({ due: ['spec', 'work'], ringsHeard: 3, ringsAnswered: 1 });
  });

  test('changes nothing else in the state: it only says that something must be looked at', () => {
    const before = aPlacedState();
    const {
      due: _due,
      ringsHeard: _rung,
      minimumVersions: _marks,
      ...after
    } = withRing(before, { causes: ['spec'], minimumVersions: { Capp: '7' } });
    expect(before).toMatchObject(after);
  });

  test.each([
    [{ Capp: '9' }, { Capp: '10' }, { Capp: '10' }],
    [{ Capp: '10' }, { Capp: '9' }, { Capp: '10' }],
    [{ Capp: '99' }, { Capp: '98' }, { Capp: '99' }],
    [{ Capp: '9' }, { ManifestWork: '8' }, { Capp: '9', ManifestWork: '8' }],
  ])('with minimum resource versions %j after %j keeps the newer one of each kind', (a, b, both) => {
    expect(newest(a, b)).toEqual(both);
  });

  test('with a cause that this version does not know causes no step', () => {
    const state = withRing(aPlacedState(), { causes: ['moon' as 'spec'], minimumVersions: {} });
    expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: null });
  });
});

describe('an answer to rings', () => {
  test('clears their causes when no ring has arrived since', () => {
    const state = aState({ due: ['spec', 'meta'], ringsHeard: 4, minimumVersions: { Capp: '7' } });
    expect(answered(state, ['spec', 'meta'], 4)).toMatchObject({ due: [], ringsAnswered: 4 });
  });

  test('clears nothing when another ring has arrived since', () => {
    const state = aState({ due: ['spec'], ringsHeard: 5, minimumVersions: { Capp: '7' } });
    expect(answered(state, ['spec'], 4)).toEqual(state);
  });

  test('leaves the causes that it did not cover', () => {
    const state = aState({ due: ['spec', 'site'], ringsHeard: 4 });
    expect(answered(state, ['spec'], 4)).toMatchObject({ due: ['site'], ringsAnswered: 1 });
  });
});

describe('a choice', () => {
  test('of a site makes that site serve, with a copy that is still to be applied', () => {
    const state = withChoice(aState(), chosen('site-1'), ASKED);
    expect(state).toMatchObject({
      serving: 'site-1',
      pinned: false,
      copies: { 'site-1': { wanted: true, stamp: null } },
    });
    expect(nextStep(state, NOW)).toEqual({ do: 'apply', cluster: 'site-1' });
  });

  test('of a site that was unreachable before marks it as reachable again', () => {
    const before = aState({ unreachable: ['site-1', 'site-2'], awaySince: { 'site-1': NOW, 'site-2': NOW } });
    expect(withChoice(before, chosen('site-1'), ASKED)).toMatchObject({
      unreachable: ['site-2'],
      awaySince: { 'site-2': NOW },
    });
  });

  test('records works on other sites as extra copies, or as leaving when they are being deleted', () => {
    const works = [
      { cluster: 'site-1', leaving: false },
      { cluster: 'site-2', leaving: false },
      { cluster: 'site-3', leaving: true },
    ];
    const state = withChoice(aState(), chosen('site-1', works), ASKED);
    expect(Object.entries(state.copies).map(([name, { wanted }]) => [name, wanted])).toEqual([
      ['site-2', false],
      ['site-1', true],
    ]);
    expect(state.leaving).toEqual({ 'site-3': { since: NOW, lookedAtRing: 1 } });
  });

  test('that finds no site records the reason and waits for a ring', () => {
    const state = withChoice(
      aState({ backoff: { until: NOW, tries: 3, ringsHeard: 1 } }),
      none('NoDecision'),
      ASKED,
    );
    expect(state).toMatchObject({ serving: null, backoff: null, placing: { reason: 'NoDecision' } });
    expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: null });
  });

  test('from caches that lag is retried with exponential backoff', () => {
    const once = withChoice(aState({ due: ['spec'] }), { outcome: 'Behind' }, ASKED);
    const twice = withChoice(once, { outcome: 'Behind' }, ASKED);
    expect([once.backoff, twice.backoff]).toEqual([
      { tries: 1, ringsHeard: 1, until: NOW + 200, behindSince: NOW },
      { tries: 2, ringsHeard: 1, until: NOW + 400, behindSince: NOW },
    ]);
  });

  test('from caches that lag does not delay a ring that arrived meanwhile', () => {
    const state = withChoice(aState({ due: ['spec'], ringsHeard: 2 }), { outcome: 'Behind' }, ASKED);
    expect(nextStep(state, NOW)).toEqual({ do: 'choose' });
  });

  test('for a Capp that no cache shows leads to a retirement, which reads live', () => {
    expect(nextStep(withChoice(aState(), { outcome: 'Absent' }, ASKED), NOW)).toEqual({ do: 'retire' });
  });

  test('of another site clears the refusal of the previous one', () => {
    const state = withChoice(
      aState({ refused: { reason: 'Refused', message: '' } }),
      chosen('site-2'),
      ASKED,
    );
    expect(nextStep(state, NOW)).toEqual({ do: 'apply', cluster: 'site-2' });
  });
});
