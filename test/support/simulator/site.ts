// A site of the simulator: its work agent applies and cleans up late or not at all, its apps become Ready or fail, its agent tells or is silent.
import type { Answer, Question } from '../../../workflows/ports.ts';
import type { Finding } from '../../../workflows/state.ts';
import type { Random } from '../random.ts';
import type { Clockwork } from './clockwork.ts';
import type { Hub } from './hub.ts';

export type Mood = 'good' | 'slow' | 'failing';

/** What stands on the site of a Capp. */
interface Standing {
  readonly stamp: string;
  readonly finding: Finding;
}

interface Waiter {
  readonly kind: 'verdict' | 'report';
  readonly question: Question;
  /** False: nobody waits for it any more. */
  readonly settle: (answer: Answer | null, silent: boolean) => boolean;
  done: boolean;
}

/** As in `proxies.ts`: how soon it is known that no agent is there. */
const SILENCE_MS = 60_000;

export class Site {
  up = true;
  agentUp = true;
  pulls = true;
  mood: Mood = 'good';
  standing: Standing | null = null;
  /** All that its agent could truthfully have said. */
  readonly said = new Set<string>();
  /** When a copy on it last answered requests. */
  healthyAt = -Infinity;
  #waiters: Waiter[] = [];
  readonly name: string;
  readonly #hub: Hub;
  readonly #clock: Clockwork;
  readonly #random: Random;
  readonly #ring: () => void;

  constructor(name: string, world: { hub: Hub; clock: Clockwork; random: Random; ring: () => void }) {
    this.name = name;
    this.#hub = world.hub;
    this.#clock = world.clock;
    this.#random = world.random;
    this.#ring = world.ring;
  }

  /** The work agent looks at its work in a while. */
  nudge(): void {
    this.#clock.after(this.#between(100, this.mood === 'slow' ? 120_000 : 4_000), () => this.#sync());
  }

  turn(part: 'up' | 'agentUp' | 'pulls', on: boolean): void {
    this[part] = on;
    this.nudge();
    if (part === 'agentUp' && on && this.up) this.#clock.after(this.#between(100, 5_000), () => this.#audit());
    if (this.isAnswering()) for (const waiter of this.#waiters) this.#answerLater(waiter);
    else for (const waiter of this.#waiters) this.#silenceLater(waiter);
  }

  /** An agent that starts says what it has; the hub rings if it has published something else, or that nobody answers. */
  #audit(): void {
    const status = this.#hub.get('Capp')?.status;
    if (this.isAnswering() && this.standing !== null && status?.applicationLinks?.site === this.name) this.#ring();
  }

  feel(mood: Mood): void {
    this.mood = mood;
    this.#rollOut();
  }

  /** The cluster is gone, and what ran there is no copy of ours any more. */
  clear(): void {
    this.#say(null);
  }

  isAnswering(): boolean {
    return this.up && this.agentUp;
  }

  isServing(): boolean {
    return this.up && this.standing?.finding.healthy === true;
  }

  ask(kind: Waiter['kind'], question: Question, settle: Waiter['settle']): void {
    const waiter: Waiter = { kind, question, done: false, settle };
    this.#waiters.push(waiter);
    if (this.isAnswering()) this.#answerLater(waiter);
    else this.#silenceLater(waiter);
  }

  #answerLater(waiter: Waiter): void {
    this.#clock.after(this.#between(20, 900), () => this.#answer(waiter));
  }

  #silenceLater(waiter: Waiter): void {
    this.#clock.after(SILENCE_MS, () => {
      if (!waiter.done && !this.isAnswering()) this.#settle(waiter, null, true);
    });
  }

  #answer(waiter: Waiter): void {
    if (waiter.done || !this.isAnswering()) return;
    const { stamp, known } = waiter.question;
    const here = this.standing?.stamp === stamp ? this.standing.finding : null;
    if (waiter.kind === 'report') return this.#settle(waiter, here === null ? null : this.#answerOf(waiter, here), false);
    if (here === null || (known?.verdict === here.verdict && known.reason === here.reason)) return;
    this.#settle(waiter, this.#answerOf(waiter, here), false);
  }

  #answerOf({ question }: Waiter, finding: Finding): Answer {
    return { finding, mirror: finding.statusHash === question.statusHash ? null : { statusHash: finding.statusHash } };
  }

  #settle(waiter: Waiter, answer: Answer | null, silent: boolean): void {
    waiter.done = true;
    this.#waiters = this.#waiters.filter((one) => one !== waiter);
    const isHeard = waiter.settle(answer, silent);
    // What was told to nobody is told anew; a report that is dropped has another behind it.
    if (!isHeard && waiter.kind === 'verdict' && this.isAnswering()) this.#ring();
  }

  #sync(): void {
    const works = this.#hub.get('ManifestWork');
    const work = works[this.name];
    if (!this.up || !this.pulls || work === undefined) return;
    if (work.leaving) {
      const { [this.name]: _gone, ...others } = works;
      this.#say(null);
      this.#hub.write('ManifestWork', others);
      return;
    }
    if (work.applied !== 'True') this.#hub.write('ManifestWork', { ...works, [this.name]: { ...work, applied: 'True' } });
    if (this.standing?.stamp === work.stamp) return;
    const healthy = this.standing?.finding.healthy ?? false;
    this.#say({ stamp: work.stamp, finding: findingOf('Progressing', 'Deploying', healthy) });
    this.#rollOut();
  }

  /** The app becomes what its site makes of it. */
  #rollOut(): void {
    const stamp = this.standing?.stamp;
    const range = { good: [500, 20_000], slow: [30_000, 900_000], failing: [500, 60_000] } as const;
    const [least, most] = range[this.mood];
    this.#clock.after(this.#between(least, most), () => {
      if (this.standing === null || this.standing.stamp !== stamp || !this.up) return;
      if (this.mood !== 'failing') this.#say({ ...this.standing, finding: findingOf('Ready', 'Ready', true) });
      else
        this.#say({
          ...this.standing,
          finding: findingOf('Failed', 'RolloutFailed', this.standing.finding.healthy && this.#random.chance(0.5)),
        });
    });
  }

  #say(standing: Standing | null): void {
    const before = this.standing;
    this.standing = standing;
    if (standing !== null) this.said.add(`${standing.stamp} ${JSON.stringify(standing.finding)}`);
    if (before?.stamp === standing?.stamp && before?.finding.statusHash === standing?.finding.statusHash) return;
    const waiting = this.#waiters.some(({ kind, question }) => kind === 'verdict' && question.stamp === standing?.stamp);
    for (const waiter of this.#waiters) this.#answerLater(waiter);
    if (!waiting && this.isAnswering() && before !== null) this.#ring();
  }

  #between(least: number, most: number): number {
    return least + this.#random.next() * (most - least);
  }
}

function findingOf(verdict: Finding['verdict'], reason: string, healthy: boolean): Finding {
  return { verdict, healthy, reason, message: `It is ${verdict}.`, statusHash: `${verdict}-${reason}-${healthy}` };
}
