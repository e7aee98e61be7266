// The agent of a simulated site: it answers what its site shows, is silent while it is away, and rings for
// what changes unasked.
import type { Finding } from '../../../../workflows/types/copy.ts';
import type { Answer, NothingThere, ReportQuestion } from '../../../../workflows/ports/agent.ts';
import type { Cancel } from '../engine/clockwork.ts';
import type { SiteCopy } from './brought.ts';
import type { Site } from './site.ts';
import { ringFromSite, sendInventory } from '../world/way-to-sites.ts';
import type { World } from '../world/world.ts';

interface Waiter {
  readonly kind: 'awaitVerdict' | 'report';
  readonly key: string;
  readonly question: ReportQuestion;
  readonly settle: (answer: Answer | NothingThere | null, silent: boolean) => void;
  isDone: boolean;
}

/** As in `proxies.ts`: how soon it is known that no agent is there. */
const SILENCE_MS = 60_000;
const INVENTORY_MS = 600_000;

export class Agent {
  readonly #site: Site;
  readonly #world: World;
  readonly #waiters = new Set<Waiter>();
  /** Until then it has not seen its site, and says nothing. */
  #emptyUntil = 0;

  constructor(site: Site, world: World) {
    this.#site = site;
    this.#world = world;
    const inventory = (): void => {
      this.#inventory();
      world.clock.after(world.calm ? 6 * INVENTORY_MS : INVENTORY_MS, inventory);
    };
    world.clock.after(world.between(0, INVENTORY_MS), inventory);
  }

  ask({ kind, key, question }: Pick<Waiter, 'kind' | 'key' | 'question'>, settle: Waiter['settle']): Cancel {
    const waiter: Waiter = { kind, key, question, settle, isDone: false };
    this.#waiters.add(waiter);
    if (this.#site.isAnswering()) this.#answerLater(waiter);
    else this.#silenceLater(waiter);
    return () => {
      // What was told to nobody is told anew; a report that is dropped has another behind it.
      if (!waiter.isDone && kind === 'awaitVerdict')
        this.#world.clock.after(this.#world.between(10, 10_000), () => this.#ring(key));
      waiter.isDone = true;
      this.#waiters.delete(waiter);
    };
  }

  /** It, its site or the way to it is there again, or away. */
  turned(hasRestarted: boolean): void {
    const { clock } = this.#world;
    if (hasRestarted && this.#world.knows('empty caches'))
      this.#emptyUntil = clock.now + this.#world.between(0, 8_000);
    if (hasRestarted)
      clock.after(Math.max(0, this.#emptyUntil - clock.now) + this.#world.between(100, 5_000), () =>
        this.#inventory(),
      );
    for (const waiter of this.#waiters) {
      if (this.#site.isAnswering()) this.#answerLater(waiter);
      else this.#silenceLater(waiter);
    }
  }

  changed(key: string, standing: SiteCopy | null, isKnown: boolean): void {
    const asking = [...this.#waiters].filter((waiter) => waiter.key === key);
    for (const waiter of asking) this.#answerLater(waiter);
    const isAwaited = asking.some(
      ({ kind, question }) => kind === 'awaitVerdict' && question.stamp === standing?.stamp,
    );
    if (!isAwaited && isKnown) this.#ring(key);
  }

  /** Whoever is on the site, as its agent says when it starts and every ten minutes. */
  #inventory(): void {
    if (this.#site.isAnswering() && !this.#isEmpty())
      sendInventory(this.#world, this.#site.name, this.#site.entries());
  }

  #ring(key: string): void {
    if (this.#site.isAnswering() && !this.#isEmpty()) ringFromSite(this.#world, key);
  }

  #isEmpty(): boolean {
    return this.#world.clock.now < this.#emptyUntil;
  }

  #answerLater(waiter: Waiter): void {
    this.#world.clock.after(this.#world.between(20, 900), () => this.#answer(waiter));
  }

  #silenceLater(waiter: Waiter): void {
    this.#world.clock.after(SILENCE_MS, () => {
      if (!waiter.isDone && !this.#site.isAnswering()) this.#settle(waiter, null, true);
    });
  }

  #answer(waiter: Waiter): void {
    if (waiter.isDone || !this.#site.isAnswering()) return;
    const { stamp, known, statusHash } = waiter.question;
    if (this.#isEmpty()) return this.#answerLater(waiter);
    const standing = this.#site.standing.get(waiter.key);
    const finding = standing?.stamp === stamp ? standing.finding : null;
    if (waiter.kind === 'awaitVerdict' && !isNews(finding, known)) return;
    const isGone = waiter.question.gone === true && standing === undefined;
    const none = isGone ? { gone: true as const } : null;
    this.#settle(waiter, finding === null ? none : { finding, mirror: mirrorOf(finding, statusHash) }, false);
  }

  #settle(waiter: Waiter, answer: Answer | NothingThere | null, silent: boolean): void {
    waiter.isDone = true;
    this.#waiters.delete(waiter);
    this.#world.tell(
      `${this.#site.name} ${silent ? 'is silent' : `answers ${saidBy(answer)}`} about ${waiter.key}`,
    );
    waiter.settle(answer, silent);
  }
}

function isNews(finding: Finding | null, known: ReportQuestion['known']): boolean {
  if (finding === null) return false;
  const isSame = known?.verdict === finding.verdict && known.reason === finding.reason;
  return !isSame || known.hostname !== finding.hostname?.reason;
}

function saidBy(answer: Answer | NothingThere | null): string {
  if (answer === null) return 'null';
  return 'gone' in answer ? 'gone' : answer.finding.verdict;
}

function mirrorOf(finding: Finding, known: string | null): Answer['mirror'] {
  return finding.statusHash === known ? null : { stateStatus: { state: finding.statusHash } };
}
