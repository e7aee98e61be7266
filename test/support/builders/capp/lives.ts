// Random lives of a Capp, whose activities and rings a seed decides.
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
import { nextStep, type NextStep } from '../../../../workflows/capp/next/next-step.ts';
import { asksForApply, asksForLook } from '../../../../workflows/capp/facts/causes.ts';
import type { Applied } from '../../../../workflows/ports/applied.ts';
import type { Choice } from '../../../../workflows/ports/choice.ts';
import type { WorksFound } from '../../../../workflows/types/removals.ts';
import { CAUSES } from '../../../../workflows/types/ring.ts';
import { initialState, type State } from '../../../../workflows/capp/state.ts';
import { VERDICTS } from '../../../../workflows/types/copy.ts';
import { random, type Random } from '../random.ts';
import { anAnswer, applied, CAPP, chosen, none, NOW, refused, stays } from '../states.ts';

const SITES = ['site-1', 'site-2', 'site-3'];

/** The lives that are lived. */
export const SEEDS = Array.from({ length: 100 }, (_, seed) => seed);
const TURNS = 60;

export class Life {
  state: State = initialState(CAPP);
  now = NOW;
  #incarnation = 0;
  readonly #random: Random;
  /** True when no activity fails any more and no ring arrives. */
  calm = false;

  constructor(seed: number) {
    this.#random = random(seed);
  }

  step(): NextStep {
    return nextStep(this.state, this.now);
  }

  /**
   * Does what the workflow does for a step. Results, and rings that arrive meanwhile, are random.
   */
  take(step: NextStep): void {
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

  #perform(step: NextStep, before: State, asked: AskedAt): void {
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
export function live(seed: number, after: (life: Life, step: NextStep, before: State) => void): Life {
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
