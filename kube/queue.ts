// A work queue by key: adding a waiting key changes nothing, and a key is never worked on twice at a time.
import { backoff } from './http/backoff.ts';
import { KUBE_TIMES } from './times.ts';

export interface QueueOptions {
  /** Does the work for a key. A rejection queues the key again, after a backoff. */
  readonly work: (key: string) => Promise<void>;
  /** How many keys may be worked on at once. */
  readonly concurrency?: number;
  /**
   * Whether a key waits until no other is ready. A quarter of `concurrency` is for such keys, so that others
   * find room. Asked when the key is added.
   */
  readonly yields?: (key: string) => boolean;
  /**
   * Backoff after the first failure of a key, in milliseconds; doubles with each failure in a row, up to
   * `slowestMs`.
   */
  readonly pauseMs?: number;
  readonly slowestMs?: number;
  /** Called with every failure, and the number of failures in a row of that key. */
  readonly onError?: (key: string, error: unknown, failures: number) => void;
}

export interface KeyedQueue {
  /** Asks for work on a key no later than `delayMs` milliseconds from now; an earlier time stays. */
  add(key: string, delayMs?: number): void;
  /** Keys that wait, are worked on or back off. */
  size(): number;
  /**
   * Since when the oldest of them has been due, in milliseconds since the epoch; null if none is. A key that
   * failed, or that is added again while it is worked on, is as old as before.
   */
  oldestAt(): number | null;
  /** Resolves when `size` is 0. */
  idle(): Promise<void>;
  /** Takes no more keys, drops those that wait, and resolves when work under way has ended. */
  stop(): Promise<void>;
}

export function keyedQueue(options: QueueOptions): KeyedQueue {
  return new Queue(options);
}

class Queue implements KeyedQueue {
  readonly #options: QueueOptions;
  readonly #ready = new Set<string>();
  /** Ready too, and behind those. */
  readonly #yielding = new Set<string>();
  readonly #working = new Set<string>();
  /** Those of them that yielded. */
  readonly #workingLast = new Set<string>();
  readonly #again = new Set<string>();
  readonly #later = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  readonly #failures = new Map<string, number>();
  /** Since when, or from when on, each key is due. */
  readonly #since = new Map<string, number>();
  readonly #idlers: (() => void)[] = [];
  #stopped = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  add(key: string, delayMs = 0): void {
    if (this.#stopped || this.#ready.has(key)) return;
    this.#dueFrom(key, Date.now() + delayMs);
    if (delayMs > 0) {
      if (!this.#yielding.has(key)) this.#schedule(key, delayMs);
      return;
    }
    this.#unschedule(key);
    if (this.#working.has(key)) {
      this.#again.add(key);
      return;
    }
    if (this.#options.yields?.(key) === true) this.#yielding.add(key);
    else {
      this.#yielding.delete(key);
      this.#ready.add(key);
    }
    this.#turn();
  }

  size(): number {
    // A key that waits for its time may only be counted twice while it is worked on: few are.
    const twice = [...this.#working].filter((key) => this.#later.has(key)).length;
    return this.#ready.size + this.#yielding.size + this.#working.size + this.#later.size - twice;
  }

  oldestAt(): number | null {
    const first = this.#since.values().reduce((oldest, since) => Math.min(oldest, since), Infinity);
    return first <= Date.now() ? first : null;
  }

  #dueFrom(key: string, at: number): void {
    if (at < (this.#since.get(key) ?? Infinity)) this.#since.set(key, at);
  }

  idle(): Promise<void> {
    if (this.size() === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idlers.push(resolve));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const key of this.#later.keys()) this.#unschedule(key);
    this.#ready.clear();
    this.#yielding.clear();
    this.#again.clear();
    this.#since.clear();
    this.#settle();
    await this.idle();
  }

  #schedule(key: string, delayMs: number): void {
    const at = Date.now() + delayMs;
    const planned = this.#later.get(key);
    if (planned !== undefined && planned.at <= at) return;
    this.#unschedule(key);
    const timer = setTimeout(() => {
      this.#later.delete(key);
      this.add(key);
    }, delayMs);
    this.#later.set(key, { at, timer });
  }

  #unschedule(key: string): void {
    clearTimeout(this.#later.get(key)?.timer);
    this.#later.delete(key);
  }

  #turn(): void {
    const limit = this.#options.concurrency ?? 16;
    for (const key of this.#ready) {
      if (this.#working.size >= limit) return;
      this.#ready.delete(key);
      this.#begin(key);
    }
    for (const key of this.#yielding) {
      if (this.#working.size >= limit || this.#workingLast.size >= Math.ceil(limit / 4)) return;
      this.#yielding.delete(key);
      this.#workingLast.add(key);
      this.#begin(key);
    }
  }

  #begin(key: string): void {
    this.#working.add(key);
    void this.#run(key);
  }

  async #run(key: string): Promise<void> {
    let pause = 0;
    try {
      await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      pause = this.#pauseAfter(key, error);
    }
    this.#working.delete(key);
    this.#workingLast.delete(key);
    const again = this.#again.delete(key);
    if (pause > 0) this.add(key, pause);
    else if (again) this.add(key);
    else this.#done(key);
    this.#turn();
    this.#settle();
  }

  /** What was planned for later while it was worked on is due then. */
  #done(key: string): void {
    const planned = this.#later.get(key);
    if (planned === undefined) this.#since.delete(key);
    else this.#since.set(key, planned.at);
  }

  #pauseAfter(key: string, error: unknown): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.#options.onError?.(key, error, failures);
    const { pauseMs = KUBE_TIMES.queueFirst.ms, slowestMs = KUBE_TIMES.queueLongest.ms } = this.#options;
    return backoff(failures, { firstMs: pauseMs, longestMs: slowestMs });
  }

  #settle(): void {
    if (this.size() > 0) return;
    for (const resolve of this.#idlers.splice(0)) resolve();
  }
}
