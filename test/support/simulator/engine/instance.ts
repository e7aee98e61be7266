// A workflow in memory, as one worker has it: the real life, on a runtime in virtual time. All that happens
// to it comes by `take`, so that another instance that is told the same becomes the same.
import { CancelledFailure, TemporalFailure } from '@temporalio/common';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { Agent } from '../../../../workflows/ports/agent.ts';
import type { TERMS } from '../../../../workflows/engine/proxies.ts';
import type { WorkBeside, Runtime } from '../../../../workflows/engine/runtime.ts';
import type { Index } from './batch.ts';
import { failureOf, type Command, type End, type Entry, type Outcome } from './exchange.ts';
import { Handlers, type Hearer } from './handlers.ts';
import { Patience } from './patience.ts';

export interface Engine extends Pick<Hearer, 'accept' | 'answer'> {
  readonly id: string;
  issue(seq: number, command: Command): void;
  cancel(seq: number): void;
  index(where: Index): void;
  /** False only where a history of an earlier build is replayed. */
  isPatched(id: string): boolean;
  /** The history has a patch from now on. */
  patch(id: string): void;
  random(): number;
  show(details: string): void;
}

interface Pending {
  readonly command: Command;
  readonly settle: PromiseWithResolvers<unknown>;
}

type Life = (start: never, runtime: Runtime) => Promise<unknown>;

export class Instance {
  now = 0;
  isLong = false;
  end: End | null = null;
  readonly #engine: Engine;
  readonly #pending = new Map<number, Pending>();
  readonly #handlers: Handlers;
  #waiters: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];
  #seq = 0;
  #scope: Set<number> | null = null;
  readonly #patches = new Set<string>();
  /** The last that was heard is the result of a local activity. */
  #isBehindLocal = false;
  readonly #patience: Patience;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#patience = new Patience(engine.id, (error) => this.#fail(error));
    this.#handlers = new Handlers({
      accept: (update) => engine.accept(update),
      answer: (update, outcome) => engine.answer(update, outcome),
      fail: (error) => this.#fail(error),
    });
  }

  begin(life: Life, start: unknown): void {
    life(start as never, this.#runtime()).then(
      (value) => void (this.end ??= { is: 'done', value }),
      (error: Error) => this.#fail(error),
    );
    this.#handlers.stand();
    this.#unblockAll();
  }

  /**
   * What waits for it is let go before anything else is taken. Messages may come before the life begins: each
   * waits for its handler.
   */
  take(entry: Entry): void {
    this.#isBehindLocal = entry.is === 'result' && this.#pending.get(entry.seq)?.command.do === 'local';
    if (entry.is === 'result') this.#settle(entry.seq, entry.outcome);
    else this.#handlers.hear(entry);
    this.#unblockAll();
  }

  /** Lets go what waits for something that is so now. */
  unblock(): boolean {
    const ready = this.#waiters.filter(({ holds }) => holds());
    if (ready.length === 0) return false;
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
    return true;
  }

  query(name: string): unknown {
    return this.#handlers.query(name);
  }

  /** Local activities that are not over, by their number. */
  locals(): (readonly [number, Command])[] {
    return [...this.#pending].flatMap(([seq, { command }]) =>
      command.do === 'local' ? [[seq, command] as const] : [],
    );
  }

  #runtime(): Runtime {
    return {
      hub: () => this.#calls('hub', 'hub'),
      localRead: () => this.#calls('local', 'localRead'),
      ask: () => this.#calls('local', 'ask'),
      localWrite: () => this.#calls('local', 'localWrite'),
      reserve: () => this.#calls('hub', 'reserve'),
      tell: () => this.#calls('local', 'tell'),
      agentVerdict: (cluster) => this.#agent(cluster),
      agentReport: (cluster) => this.#agent(cluster),
      agentVerify: (cluster) => this.#agent(cluster),
      id: () => this.#engine.id,
      now: () => this.#patience.ask(this.now),
      random: () => this.#engine.random(),
      sleep: (ms) => this.#issue({ do: 'wait', ms }) as Promise<void>,
      until: (holds, atMost) => this.#until(holds, atMost?.ms),
      beside: (work) => this.#beside(work),
      handle: this.#handlers.set,
      isHandled: () => this.#handlers.areDone,
      patched: (id) => this.#patched(id),
      isLong: () => this.isLong,
      continueAsNew: (start) => {
        this.end ??= { is: 'continued', value: start };
        return new Promise(() => undefined);
      },
      show: (details) => this.#engine.show(details),
      index: (where) => this.#engine.index(where),
      measure: () => undefined,
      countUnreadable: () => undefined,
    };
  }

  #patched(id: string): boolean {
    if (this.#patches.has(id)) return true;
    if (!this.#engine.isPatched(id)) return false;
    // A replay may hear of a local activity before it has read the marker (`workflows/capp/changes.ts`).
    if (this.#isBehindLocal) throw new Error(`"${id}" is noted behind a local activity`);
    this.#patches.add(id);
    this.#engine.patch(id);
    return true;
  }

  #calls(how: 'local' | 'hub', terms: keyof typeof TERMS): never {
    const call =
      (_: unknown, name: string) =>
      (...given: readonly unknown[]) => {
        const command: Command = { do: how, terms, name: name as keyof Hub, given };
        return how === 'local' ? this.#issueLocal(command) : this.#issue(command);
      };
    return new Proxy({}, { get: call }) as never;
  }

  #agent(cluster: string): never {
    const call =
      (_: unknown, name: string) =>
      (...given: readonly unknown[]) =>
        this.#issue({ do: 'agent', name: name as keyof Agent, cluster, given });
    return new Proxy({}, { get: call }) as never;
  }

  #issue(command: Command): Promise<unknown> {
    this.#patience.ask(this.now);
    this.#seq += 1;
    const settle = Promise.withResolvers<unknown>();
    this.#pending.set(this.#seq, { command, settle });
    this.#scope?.add(this.#seq);
    this.#engine.issue(this.#seq, command);
    return settle.promise;
  }

  // Temporal's package takes as many steps from promise to promise: of two that go on in one activation, the
  // same one is first.

  async #issueLocal(command: Command): Promise<unknown> {
    const execute = async (): Promise<unknown> => this.#issue(command);
    return await execute();
  }

  async #until(holds: () => boolean, ms: number | undefined): Promise<void> {
    this.#patience.ask(this.now);
    if (ms === undefined) return this.#held(holds).promise;
    const limited = async (): Promise<void> => this.#heldAtMost(holds, ms).result;
    await limited();
  }

  #held(holds: () => boolean): PromiseWithResolvers<void> {
    const held = Promise.withResolvers<void>();
    if (holds()) held.resolve();
    else this.#waiters.push({ holds, resolve: held.resolve });
    return held;
  }

  #heldAtMost(holds: () => boolean, ms: number): WorkBeside<void> {
    const scope = this.#beside(async () => {
      const timer = this.#issue({ do: 'wait', ms });
      const held = this.#held(holds);
      try {
        await Promise.race([timer.then(() => false), held.promise.then(() => true)]);
      } finally {
        scope.cancel();
        this.#waiters = this.#waiters.filter(({ resolve }) => resolve !== held.resolve);
      }
    });
    return scope;
  }

  #beside<T>(work: () => Promise<T>): WorkBeside<T> {
    const outer = this.#scope;
    const mine = new Set<number>();
    this.#scope = mine;
    const run = async (): Promise<T> => await work();
    const result = run();
    this.#scope = outer;
    return { result, cancel: () => queueMicrotask(() => mine.forEach((seq) => this.#cancel(seq))) };
  }

  #cancel(seq: number): void {
    const pending = this.#pending.get(seq);
    if (pending === undefined) return;
    this.#engine.cancel(seq);
    const cancelled = new CancelledFailure('CANCELLED');
    this.#settle(seq, {
      error: pending.command.do === 'wait' ? cancelled : failureOf(pending.command.do, cancelled),
    });
  }

  #settle(seq: number, outcome: Outcome): void {
    const pending = this.#pending.get(seq);
    this.#pending.delete(seq);
    if ('error' in outcome) pending?.settle.reject(outcome.error);
    else pending?.settle.resolve(outcome.value);
  }

  #unblockAll(): void {
    while (this.unblock());
  }

  #fail(error: Error): void {
    this.end ??= { is: error instanceof TemporalFailure ? 'failed' : 'stuck', error };
  }
}
