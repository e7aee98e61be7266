// What a state becomes when an answer arrives.
import { withRing } from '../../../../workflows/capp/decide/rings.ts';
import { afterFailure } from '../../../../workflows/capp/decide/after-failure.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { nextStep } from '../../../../workflows/capp/decide/next-step.ts';
import { aPlacedState, MINUTE, NOW } from '../../../support/builders/states.ts';

const ASKED = { now: NOW, ringsHeard: 1 };

test('a failure is said, and tried again ever more slowly or at the next ring', () => {
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

describe('an edit that is refused for good', () => {
  const refusal = { reason: 'Refused', message: 'no rights', generation: 2 } as const;
  const edited = withRing(aPlacedState(), { causes: ['spec'], minimumVersions: {} });

  test('is answered: users read of its generation that it is refused', () => {
    const [ready] = conditionsOf(afterFailure(edited, refusal, { now: NOW, ringsHeard: 2 }), NOW);
    expect(ready).toMatchObject({
      status: 'False',
      reason: 'Refused',
      message: 'no rights',
      observedGeneration: 2,
    });
  });

  test('is not forgotten when a later failure does not say of what it is', () => {
    const refused = afterFailure(edited, refusal, { now: NOW, ringsHeard: 2 });
    expect(
      afterFailure(refused, { ...refusal, generation: null }, { now: NOW, ringsHeard: 2 }).generation,
    ).toBe(2);
  });
});
