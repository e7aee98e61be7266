// In random lives of a Capp the workflow comes to rest, answers every ring, and never removes the serving
// copy. Each life has a seed, which a failure names.
import { withRing } from '../../../../workflows/capp/after/rings.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import type { NextStep } from '../../../../workflows/capp/next/next-step.ts';
import { asksForApply } from '../../../../workflows/capp/facts/causes.ts';
import { rungFor } from '../../../../workflows/types/ring.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { SEEDS, live, type Life } from '../../../support/builders/capp/lives.ts';

/** After a ring a life rests within a handful of steps; one that takes this many is in an endless loop. */
const PATIENCE = 30;

/** The steps of all lives that break a rule, each with its seed. */
function breaches(isBroken: (step: NextStep, before: State, life: Life) => boolean): string[] {
  const found: string[] = [];
  for (const seed of SEEDS) {
    live(seed, (life, step, before) => {
      if (isBroken(step, before, life))
        found.push(`seed ${seed}: ${JSON.stringify(step)} in ${JSON.stringify(before)}`);
    });
  }
  return found.slice(0, 3);
}

/** The steps until the life rests for good, when it is calm; null if it does not rest. */
function stepsToRest(seed: number): string[] | null {
  const life = live(seed, () => undefined);
  life.calm = true;
  // A paused Capp looks at nothing before a ring ends the pause.
  life.state = withRing(life.state, rungFor('meta'));
  const taken: string[] = [];
  for (let step = life.step(); step.do !== 'rest' || step.until !== null; step = life.step()) {
    taken.push(step.do);
    if (taken.length > PATIENCE) return null;
    if (step.do === 'rest') life.pass((step.until ?? life.now) - life.now);
    else life.take(step);
  }
  return life.state.due.length === 0 && life.state.ringsAnswered === life.state.ringsHeard ? taken : null;
}

test('the workflow comes to rest with every ring answered when no activity fails and no ring arrives', () => {
  expect(SEEDS.filter((seed) => stepsToRest(seed) === null)).toEqual([]);
});

test('the workflow rests without a timer only when every ring is answered', () => {
  const isUnheard = ({ due, ringsAnswered, ringsHeard, paused }: State): boolean =>
    paused ? due.some(asksForApply) : due.length > 0 || ringsAnswered !== ringsHeard;
  expect(breaches((step, before) => step.do === 'rest' && step.until === null && isUnheard(before))).toEqual(
    [],
  );
});

test('the workflow never rests until a time that has passed', () => {
  expect(
    breaches((step, _before, { now }) => step.do === 'rest' && step.until !== null && step.until <= now),
  ).toEqual([]);
});

test('the serving copy is never removed', () => {
  expect(
    breaches((step, { serving }) => step.do === 'remove' && step.clusters.includes(serving ?? '')),
  ).toEqual([]);
});

test('no copy is removed before the serving copy is Ready, except works that are being deleted already', () => {
  const isReady = ({ copies, serving }: State): boolean =>
    copies[serving ?? '']?.finding?.verdict === 'Ready';
  const takesCopies = (step: NextStep, { leaving }: State): boolean =>
    step.do === 'remove' && step.clusters.some((cluster) => leaving[cluster] === undefined);
  expect(breaches((step, before) => takesCopies(step, before) && !isReady(before))).toEqual([]);
});

test('all works are removed only when the Capp is being deleted', () => {
  expect(breaches((step, { retiring }) => step.do === 'retire' && !retiring)).toEqual([]);
});

test('outside a move at most one copy is wanted', () => {
  const wanted = ({ copies }: State): number => Object.values(copies).filter((copy) => copy.wanted).length;
  expect(breaches((_step, before) => wanted(before) > 1)).toEqual([]);
});

test('every condition always has a reason and a message', () => {
  expect(
    breaches((_step, before, { now }) =>
      conditionsOf(before, now).some(({ reason, message }) => reason === '' || message === ''),
    ),
  ).toEqual([]);
});
