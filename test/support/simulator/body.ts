// The simulator's body of a Capp's workflow: does what `capp.ts` and `steps.ts` do, in the same order and with the same pure parts, but what it
// asks of the world is yielded, so that the world may be late, fail after it has done its work, do it twice, or forget the workflow.
import type { DecisionRecord } from '../../../crds/decision.ts';
import { isAskingForTurn } from '../../../workflows/decide/leave.ts';
import { afterFailure, heard } from '../../../workflows/decide/learn.ts';
import { abandoned, afterPetition } from '../../../workflows/decide/moved.ts';
import { nextStep, type Step } from '../../../workflows/decide/next-step.ts';
import { askOf, petitionOf, reportInquiry, verdictInquiry } from '../../../workflows/decide/questions.ts';
import {
  applied,
  chose,
  isTold,
  learned,
  publicationOf,
  published,
  recordIn,
  reporting,
  retired,
  turned,
  watching,
  type Turn,
} from '../../../workflows/decide/taken.ts';
import type { News } from '../../../workflows/listener.ts';
import type { Applied, Choice, Retired } from '../../../workflows/ports.ts';
import { rungFor } from '../../../workflows/ring.ts';
import { initialState, type State } from '../../../workflows/state.ts';
import type { Petition } from '../../../workflows/turns.ts';
import { call, promptly, type Effect } from './effects.ts';
import { Listener, type Put } from './listener.ts';
import * as hands from './hands.ts';
import { Refused, type Hands } from './hands.ts';
import { finding, removing } from './removing.ts';

type Life = Generator<Effect, void, unknown>;

export interface Outside {
  readonly hands: Hands;
  readonly now: () => number;
  readonly ask: Put;
  petition(cluster: string, petition: Petition): void;
  /** Called before each step is taken. */
  observe(state: State, step: Step): void;
  /** Continue as new now? */
  isLong(): boolean;
}

export class Body {
  state: State;
  ended = false;
  readonly #outside: Outside;
  readonly #agent: Listener;
  #record: DecisionRecord | null = null;

  constructor(start: State, outside: Outside) {
    this.state = start;
    this.#outside = outside;
    this.#agent = new Listener((inquiry, settle) => outside.ask(inquiry, settle));
  }

  *live(): Life {
    while (!this.ended) {
      yield* this.#takeNews();
      const step = nextStep(this.state, this.#outside.now());
      this.#outside.observe(this.state, step);
      if (this.#record === null && this.#outside.isLong()) this.#checkpoint();
      yield* this.#take(step);
    }
  }

  *#takeNews(): Life {
    const news = this.#agent.take();
    if (news === undefined) return;
    this.state = learned(this.state, news, this.#outside.now());
    yield* this.#publish(news);
  }

  #checkpoint(): void {
    if (this.#agent.asking().some(({ kind }) => kind === 'report')) this.state = heard(this.state, rungFor('site'));
    this.#agent.drop();
    this.state = JSON.parse(JSON.stringify(this.state)) as State;
  }

  *#take(step: Step): Life {
    const { rung } = this.state;
    try {
      yield* this.#perform(step);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.state = afterFailure(this.state, { reason: 'Refused', message: error.message }, { now: this.#outside.now(), rung });
      yield* this.#publish(null);
    }
  }

  #perform(step: Step): Life {
    switch (step.do) {
      case 'choose':
        return this.#choose();
      case 'apply':
        return this.#apply(step.cluster);
      case 'watch':
        return this.#watch(step.cluster, step.until);
      case 'report':
        return this.#report(step.cluster);
      case 'remove':
        return this.#remove(step.clusters);
      case 'find':
        return this.#find(step.clusters);
      case 'retire':
        return this.#retire();
      case 'petition':
        return this.#petition(step.cluster);
      case 'rest':
        return this.#rest(step.until);
      default:
        return this.#turn(step.do);
    }
  }

  /** A Capp that is nowhere is really chosen for and shipped in one go: one of the orders in which these two may come here. */
  *#choose(): Life {
    const asked = this.state;
    let choice: Choice;
    try {
      choice = (yield call('choose', () => hands.choose(this.#outside.hands, asked.capp, askOf(asked)), true)) as Choice;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      choice = { outcome: 'Behind' };
    }
    this.state = chose(this.state, asked, choice, this.#outside.now());
    this.#record = recordIn(choice) ?? this.#record;
    if (isTold(choice, this.state, this.#outside.now())) yield* this.#publish(null);
  }

  *#apply(cluster: string): Life {
    const asked = this.state;
    const shipping = { ref: asked.capp, cluster, state: asked, record: this.#record };
    let answer: Applied;
    try {
      answer = (yield* promptly(`apply ${cluster}`, () => hands.apply(this.#outside.hands, shipping))) as Applied;
    } catch (error) {
      const isNewCopy = asked.move?.to === cluster && asked.serving !== cluster;
      if (!(error instanceof Refused) || !isNewCopy) throw error;
      this.state = abandoned(this.state, this.#outside.now(), 'Failed');
      return yield* this.#publish(null);
    }
    if (answer.outcome === 'Replaced') return this.#startOver(answer.uid);
    this.#record = null;
    this.state = applied(this.state, asked, cluster, answer);
    if (answer.outcome !== 'Deleted') yield* this.#publish(null);
  }

  *#watch(cluster: string, until: number): Life {
    const inquiry = verdictInquiry(this.state, cluster);
    if (inquiry === null) return;
    if (this.#agent.ask(inquiry)) this.state = watching(this.state, cluster);
    yield* this.#wait(this.#alarm(), until);
    yield* this.#publish(null);
  }

  // eslint-disable-next-line require-yield
  *#report(cluster: string): Life {
    const inquiry = reportInquiry(this.state, cluster);
    this.state = reporting(this.state, cluster);
    if (inquiry === null) return;
    this.#agent.drop(cluster);
    this.#agent.ask(inquiry);
  }

  *#remove(clusters: readonly string[]): Life {
    for (const cluster of clusters) this.#agent.drop(cluster);
    const become = yield* removing(this.#outside, this.state, clusters);
    this.state = become(this.state);
  }

  *#find(clusters: readonly string[]): Life {
    const become = yield* finding(this.#outside, this.state, clusters);
    this.state = become(this.state);
  }

  *#retire(): Life {
    this.#agent.drop();
    const asked = this.state;
    const answer = (yield call('retire', () => hands.retire(this.#outside.hands, asked.capp))) as Retired;
    if (answer.outcome === 'Replaced') return this.#startOver(answer.uid);
    this.state = retired(this.state, asked, answer, this.#outside.now());
    if (answer.outcome !== 'Retired') yield* this.#publish(null);
    else if (this.state.rung <= this.state.seen) this.ended = true;
  }

  *#petition(cluster: string): Life {
    this.state = afterPetition(this.state, { askedAt: this.#outside.now(), answer: null });
    const petition = petitionOf(this.state);
    try {
      yield call(`petition ${cluster}`, () => this.#outside.petition(cluster, petition), true);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    yield* this.#publish(null);
  }

  *#turn(what: Turn): Life {
    this.state = turned(this.state, what, this.#outside.now());
    if (what !== 'begin') yield* this.#publish(null);
  }

  *#rest(until: number | null): Life {
    for (const { kind, cluster } of this.#agent.asking()) if (kind === 'verdict') this.#lastWord(cluster);
    const isAnswering = this.#agent.asking().some(({ kind }) => kind === 'report');
    const woken = this.#alarm();
    if (this.state.published !== null && !isAskingForTurn(this.state, this.#outside.now())) yield* this.#publish(null);
    yield* this.#wait(woken, isAnswering ? null : until);
    yield* this.#publish(null);
  }

  #lastWord(cluster: string): void {
    const inquiry = reportInquiry(this.state, cluster);
    if (inquiry === null) this.#agent.drop(cluster);
    else this.#agent.ask(inquiry);
  }

  #alarm(): () => boolean {
    const { rung, leave } = this.state;
    return () => this.state.rung !== rung || this.state.leave !== leave || this.#agent.hasNews();
  }

  *#wait(woken: () => boolean, until: number | null): Life {
    if (!woken()) yield { until, woken };
  }

  *#publish(news: News | null): Life {
    const due = publicationOf(this.state, { record: this.#record, news, at: this.#outside.now() });
    if (due === null) return;
    const { state } = this;
    let isWritten = true;
    try {
      yield* promptly('publish', () => hands.publish(this.#outside.hands, state.capp, state, due.publication));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      isWritten = false;
    }
    this.#record = null;
    if (isWritten) this.state = published(this.state, { mark: due.mark, mirror: due.publication.mirror }, news);
  }

  #startOver(uid: string): void {
    this.#agent.drop();
    this.#record = null;
    this.state = { ...initialState({ ...this.state.capp, uid }), marks: this.state.marks };
  }
}
