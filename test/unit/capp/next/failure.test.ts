// How the state changes when an activity fails for good: the reason in the conditions, and the backoff before
// the next try.
import { withRing } from '../../../../workflows/capp/after/rings.ts';
import { afterFailure } from '../../../../workflows/capp/after/failure.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { aPlacedState, MINUTE, NOW } from '../../../support/builders/states.ts';

const ASKED = { now: NOW, ringsHeard: 1 };

test('a failed apply is retried with exponential backoff, or as soon as the next ring arrives', () => {
  const refusal = { reason: 'Refused', message: 'no rights', generation: null } as const;
  const once = afterFailure(aPlacedState(), refusal, ASKED);
  const twice = afterFailure(once, refusal, ASKED);
  expect(nextStep(once, NOW)).toEqual({ do: 'rest', until: NOW + 30_000 });
  expect(nextStep(twice, NOW)).toEqual({ do: 'rest', until: NOW + MINUTE });
  expect(nextStep(withRing(twice, { causes: ['meta'], minimumVersions: {} }), NOW)).toEqual({
    do: 'apply',
    cluster: 'site-1',
  });
});

describe('an edit that the API server refuses for good', () => {
  const refusal = { reason: 'Refused', message: 'no rights', generation: 2 } as const;
  const edited = withRing(aPlacedState(), { causes: ['spec'], minimumVersions: {} });

  test('sets Ready to False with the refusal, for the generation of the edit', () => {
    const [ready] = conditionsOf(afterFailure(edited, refusal, { now: NOW, ringsHeard: 2 }), NOW);
    expect(ready).toMatchObject({
      status: 'False',
      reason: 'Refused',
      message: 'no rights',
      observedGeneration: 2,
    });
  });

  test('keeps its generation when a later failure names none', () => {
    const refused = afterFailure(edited, refusal, { now: NOW, ringsHeard: 2 });
    expect(
      afterFailure(refused, { ...refusal, generation: null }, { now: NOW, ringsHeard: 2 }).generation,
    ).toBe(2);
  });
});
