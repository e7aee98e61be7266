// Of a deletion nothing is told for ten seconds, unless a person has to act.
import { leavingQuietly, QUIET_MS } from '../../../../workflows/capp/after/removal.ts';
import { publicationOf } from '../../../../workflows/capp/conditions/publication.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Leaving } from '../../../../workflows/types/copy.ts';
import { aPlacedState, NOW } from '../../../support/builders/states.ts';

const END = NOW + QUIET_MS;

const goingFrom = (leaving: Partial<Leaving>): State =>
  aPlacedState({
    retiring: true,
    published: 'before',
    leaving: { 'site-1': { since: NOW, lookedAtRing: 1, ...leaving } },
  });
const isTold = (state: State, at: number): boolean =>
  publicationOf(state, { record: null, news: null, at, tellsFailure: true }) !== null;

test('a deletion is told when it takes longer, and the workflow wakes for that', () => {
  const state = leavingQuietly(goingFrom({}), NOW);
  expect([isTold(state, NOW), isTold(state, END - 1), isTold(state, END)]).toEqual([false, false, true]);
  expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: END });
  expect(nextStep(state, END)).toEqual({ do: 'rest', until: null });
});

test('it wakes for that while it waits for another try, too', () => {
  const backoff = { until: NOW + 2 * QUIET_MS, tries: 1, ringsHeard: goingFrom({}).ringsHeard };
  const state = leavingQuietly({ ...goingFrom({}), backoff }, NOW);
  expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: END });
  expect(nextStep(state, END)).toEqual({ do: 'rest', until: backoff.until });
});

test.each([[{ lost: 'Unreachable' }], [{ givenUp: true }]] as const)(
  'what a person has to know is told at once: %j',
  (leaving) => {
    const state = leavingQuietly(goingFrom(leaving), NOW);
    expect(isTold(state, NOW)).toBe(true);
    expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: null });
  },
);

test('a second look does not begin the time anew', () => {
  const state = leavingQuietly(leavingQuietly(goingFrom({}), NOW), NOW + 5_000);
  expect(nextStep(state, NOW + 5_000)).toEqual({ do: 'rest', until: END });
});

test('a run of an earlier build tells it at once, as its history has it', () => {
  expect(isTold(goingFrom({}), NOW)).toBe(true);
  expect(nextStep(goingFrom({}), NOW)).toEqual({ do: 'rest', until: null });
});

test('a Capp that lives after all is told of as ever', () => {
  expect(isTold({ ...leavingQuietly(goingFrom({}), NOW), retiring: false }, NOW)).toBe(true);
});
