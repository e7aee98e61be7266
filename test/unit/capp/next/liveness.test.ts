// In random lives of a Capp the workflow comes to rest, answers every ring, and never removes the serving
// copy. Each life has a seed, which a failure names.
import { afterAnswer, afterSilence, reporting } from '../../../../workflows/capp/after/answer.ts';
import { withChoice } from '../../../../workflows/capp/after/choice.ts';
import { isAppliedEverywhere, withApplied } from '../../../../workflows/capp/after/apply.ts';
import { afterResync, withRing, answered, type AskedAt } from '../../../../workflows/capp/after/rings.ts';
import { afterFailure } from '../../../../workflows/capp/after/failure.ts';
import {
  afterFind,
  afterRefusal,
  afterRemove,
  withRetired,
} from '../../../../workflows/capp/after/removal.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { nextStep, type Step } from '../../../../workflows/capp/next/next-step.ts';
import { asksForApply, asksForLook } from '../../../../workflows/capp/facts/causes.ts';
import type { Applied } from '../../../../workflows/ports/applied.ts';
import type { Choice } from '../../../../workflows/ports/choice.ts';
import type { WorksFound } from '../../../../workflows/types/removals.ts';
import { CAUSES, rungFor } from '../../../../workflows/types/ring.ts';
import { initialState, type State } from '../../../../workflows/capp/state.ts';
import { VERDICTS } from '../../../../workflows/types/copy.ts';
import { random, type Random } from '../../../support/builders/random.ts';
import {
  anAnswer,
  applied,
  CAPP,
  chosen,
  none,
  NOW,
  refused,
  stays,
} from '../../../support/builders/states.ts';

const SITES = ['site-1', 'site-2', 'site-3'];
const SEEDS = Array.from({ length: 100 }, (_, seed) => seed);
const TURNS = 60;
/** After a ring a life rests within a handful of steps; one that takes this many is in an endless loop. */
const PATIENCE = 30;

class Life {
  state: State = initialState(CAPP);
  now = NOW;
  #incarnation = 0;
  readonly #random: Random;
  /** True when no activity fails any more and no ring arrives. */
  calm = false;

  constructor(seed: number) {
    this.#random = random(seed);
  }

  step(): Step {
    return nextStep(this.state, this.now);
  }

  /**
   * Does what the workflow does for a step. Results, and rings that arrive meanwhile, are random.
   */
  take(step: Step): void {
    const asked: AskedAt = { now: this.now, ringsHeard: this.state.ringsHeard };
    const before = this.state;
    if (!this.calm && this.#random.chance(0.2)) this.ring();
    if (step.do !== 'watch' && step.do !== 'rest' && !this.calm && this.#random.chance(0.1)) {
      this.state = afterFailure(
        this.state,
        { reason: 'Refused', message: 'no rights', generation: null },
        asked,
      );
      return;
    }
    this.#perform(step, before, asked);
  }

  ring(): void {
    const causes = CAUSES.filter(() => this.#random.chance(0.3));
    this.state = this.#random.chance(0.1)
      ? afterResync(this.state)
      : withRing(this.state, { causes: causes.length > 0 ? causes : ['spec'], minimumVersions: {} });
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
  }

  #perform(step: Step, before: State, asked: AskedAt): void {
    switch (step.do) {
      case 'choose': {
        const choice = before.serving === null ? this.#choice() : this.#look();
        const looked =
          before.serving === null
            ? before.due
            : before.due.filter((cause) => asksForLook(cause) && !asksForApply(cause));
        this.state = withChoice(
          choice.outcome === 'Behind' ? this.state : answered(this.state, looked, asked.ringsHeard),
          choice,
          asked,
        );
        return;
      }
      case 'apply':
        this.state = withApplied(this.state, step.cluster, this.#applied(), asked.ringsHeard);
        if (isAppliedEverywhere(this.state, asked.ringsHeard))
          this.state = answered(this.state, before.due.filter(asksForApply), asked.ringsHeard);
        return;
      case 'watch':
        this.state = answered(this.state, ['site'], asked.ringsHeard);
        this.#hear(step.cluster);
        if (this.calm) this.pass(Math.max(0, step.until - this.now));
        return;
      case 'report':
        this.state = reporting(this.state, step.cluster);
        this.#hear(step.cluster);
        return;
      case 'remove':
        this.state = this.#removed(step.clusters, asked);
        return;
      case 'find':
        this.state = afterFind(this.state, step.clusters, this.#found(step.clusters), asked);
        return;
      case 'retire': {
        const outcomes = this.calm ? (['Leaving'] as const) : (['Leaving', 'Alive'] as const);
        const outcome = this.#random.pick(outcomes);
        const retired =
          outcome === 'Leaving' ? { outcome, clusters: [this.#random.pick(SITES)] } : { outcome };
        this.state = withRetired(answered(this.state, before.due, asked.ringsHeard), retired, asked);
        return;
      }
      default:
        return;
    }
  }

  #removed(clusters: readonly string[], asked: AskedAt): State {
    const objection = { reason: 'WorkGone', message: 'it is gone.' } as const;
    if (!this.calm && this.#random.chance(0.1)) return afterRefusal(this.state, clusters, 'no rights', asked);
    if (!this.calm && this.#random.chance(0.1))
      return afterRemove(this.state, clusters, { leaving: [], objection }, asked);
    return afterRemove(
      this.state,
      clusters,
      { leaving: clusters.filter(() => !this.calm && this.#random.chance(0.5)) },
      asked,
    );
  }

  #found(clusters: readonly string[]): WorksFound | null {
    if (!this.calm && this.#random.chance(0.1)) return null;
    const there = clusters.filter(() => !this.calm && this.#random.chance(0.5));
    return {
      works: there.map((cluster) => ({ cluster, leaving: this.#random.chance(0.7) })),
      lost: {},
      given: [],
    };
  }

  #choice(): Choice {
    if (this.calm) return chosen('site-1');
    const works = SITES.filter(() => this.#random.chance(0.3)).map((cluster) => ({
      cluster,
      leaving: this.#random.chance(0.5),
    }));
    return this.#random.pick<Choice>([
      { outcome: 'Behind' },
      { outcome: 'Absent' },
      none(),
      chosen('site-1', works),
      chosen('site-2', works),
    ]);
  }

  #look(): Choice {
    return this.calm
      ? stays()
      : this.#random.pick<Choice>([{ outcome: 'Behind' }, { outcome: 'Absent' }, stays()]);
  }

  #applied(): Applied {
    const generation = this.state.generation + (this.#random.chance(0.3) ? 1 : 0);
    const stamp = `uid-1/${generation}/hash/${this.#incarnation}`;
    const shipped = applied({ generation, stamp, at: this.now });
    if (this.calm) return shipped;
    if (this.#random.chance(0.1)) this.#incarnation += 1;
    const other: Applied[] = [
      { ...refused(), at: this.now } as Applied,
      { outcome: 'Paused', generation, at: this.now },
      { outcome: 'Leaving', generation, at: this.now },
      { outcome: 'Deleted' },
    ];
    return this.#random.chance(0.6) ? shipped : this.#random.pick(other);
  }

  #hear(cluster: string): void {
    const stamp = this.state.copies[cluster]?.stamp ?? 'none';
    if (this.calm || this.#random.chance(0.5))
      this.state = afterAnswer(
        this.state,
        cluster,
        { stamp, answer: anAnswer(this.#random.pick(VERDICTS)) },
        this.now,
      );
    else if (this.#random.chance(0.3)) this.state = afterSilence(this.state, cluster, stamp, this.now);
    else
      this.state = afterAnswer(
        this.state,
        cluster,
        { stamp: 'another stamp', answer: anAnswer('Ready') },
        this.now,
      );
  }
}

/** Lives a random life, calling back after each step. */
function live(seed: number, after: (life: Life, step: Step, before: State) => void): Life {
  const life = new Life(seed);
  const dice = random(seed + 1_000_000);
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (dice.chance(0.3)) life.ring();
    if (dice.chance(0.3)) life.pass(Math.floor(dice.next() * 700_000));
    const before = life.state;
    const step = life.step();
    life.take(step);
    after(life, step, before);
  }
  return life;
}

/** The steps of all lives that break a rule, each with its seed. */
function breaches(isBroken: (step: Step, before: State, life: Life) => boolean): string[] {
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
  const takesCopies = (step: Step, { leaving }: State): boolean =>
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
