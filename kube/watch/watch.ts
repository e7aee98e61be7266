// Lists and watches one kind until stopped; after a gap it reports only what really changed.
import type { Kube } from '../client.ts';
import { deferred } from '../deferred.ts';
import { ApiError, isSilence, leavesNoHole } from '../failure.ts';
import type { ListSelection } from './list.ts';
import { JSON_TYPE, METADATA, withKind, withQuery } from '../http/request.ts';
import { backoff } from '../http/backoff.ts';
import { pathOf, type KubeObject, type Resource } from '../resource.ts';
import { noAnswer, refusalIn, type RequestLine } from '../refusal.ts';
import type { Follower } from './follower.ts';
import { pause } from '../pause.ts';
import { Store, type Change } from './store.ts';
import { isEvent, type WatchEvent } from './stream.ts';
import { KUBE_TIMES } from '../times.ts';

export interface WatchOptions<T extends KubeObject> extends ListSelection {
  readonly resource: Resource;
  /** Drops what need not stay in memory. */
  readonly transform?: (object: T) => T;
  /**
   * Silence after which a stream restarts, in milliseconds; 90,000 if not given: the server sends a bookmark
   * about every 60 s, but none of a kind that never had an event.
   */
  readonly idleMs?: number;
  /**
   * Hears of what keeps the watch from following, when that begins or changes; and of what `onChange` throws.
   * Silence is none of it: the stream that takes over from a silent one shows whether there was something to
   * hear.
   */
  readonly onProblem?: (error: unknown) => void;
}

export interface Watch {
  /**
   * Resolves when the first list has been delivered; rejects if stopped before. A kind that does not exist
   * yet is waited for.
   */
  readonly synced: Promise<void>;
  /** The newest that the server has shown, by an event, a bookmark or a list; empty before the first list. */
  resourceVersion(): string;
  /** Why the watch is interrupted, so that what it has shown may be old; null while it runs. */
  problem(): unknown;
  /** Resolves when nothing more will be delivered. */
  stop(): Promise<void>;
}

/** Starts at once. Never throws and never ends by itself: failures go to `onProblem` and are retried. */
export function watch<T extends KubeObject>(
  kube: Kube,
  options: WatchOptions<T>,
  onChange: (change: Change<T>) => void,
): Watch {
  const ignore = (): void => undefined;
  return follow(kube, options, {
    store: new Store<T>({ transform: options.transform }),
    onChange,
    onList: ignore,
    onSeen: ignore,
    onProblemChanged: ignore,
  });
}

/** `watch`, into a store of the caller's, who hears more of it. */
export function follow<T extends KubeObject>(
  kube: Kube,
  options: WatchOptions<T>,
  follower: Follower<T>,
): Watch {
  return new Watcher(kube, options, follower);
}

class Watcher<T extends KubeObject> implements Watch {
  readonly synced: Promise<void>;
  readonly #sync = deferred<void>();
  readonly #kube: Kube;
  readonly #options: WatchOptions<T>;
  readonly #follower: Follower<T>;
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #version = '';
  /** Events may have been missed: only a list can tell. */
  #listDue = true;
  #failures = 0;
  #reported = '';
  #problem: unknown = null;

  constructor(kube: Kube, options: WatchOptions<T>, follower: Follower<T>) {
    this.#kube = kube;
    this.#options = options;
    this.#follower = follower;
    this.synced = this.#sync.promise;
    // Nobody needs to wait for it.
    this.synced.catch(() => undefined);
    this.#ended = this.#run();
  }

  resourceVersion(): string {
    return this.#version;
  }

  problem(): unknown {
    return this.#problem;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#sync.reject(
      new Error(`The watch of ${this.#options.resource.plural} stopped before its first list`),
    );
    await this.#ended;
  }

  get #stopped(): boolean {
    return this.#ending.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const began = performance.now();
      try {
        if (this.#listDue) await this.#list();
        await this.#follow();
      } catch (error) {
        if (this.#stopped) return;
        if (performance.now() - began > KUBE_TIMES.watchSettled.ms) this.#failures = 0;
        if (isSilence(error)) this.#recovered();
        else await this.#recover(error);
      }
    }
  }

  async #list(): Promise<void> {
    const { store } = this.#follower;
    const keep = (object: T): T => store.prepared(object);
    const asked = { ...this.#options, keep, signal: this.#ending.signal };
    const { items, resourceVersion } = await this.#kube.list<T>(this.#options.resource, asked);
    const changes = store.replace(items, resourceVersion, this.#version === '');
    this.#version = resourceVersion;
    this.#listDue = false;
    this.#call(() => this.#follower.onList());
    this.#setProblem(null);
    this.#deliver(changes);
    this.#sync.resolve();
  }

  async #follow(): Promise<void> {
    const { idleMs = KUBE_TIMES.watchIdle.ms, metadataOnly = false } = this.#options;
    const path = this.#path();
    const began = performance.now();
    let heard = 0;
    for await (const event of this.#kube.stream(path, {
      signal: this.#ending.signal,
      idleMs,
      accept: metadataOnly ? METADATA : JSON_TYPE,
      onOpen: () => this.#setProblem(null),
    })) {
      this.#take(event, { method: 'GET', path });
      heard += 1;
      this.#recovered();
    }
    if (heard === 0 && performance.now() - began < KUBE_TIMES.watchShortest.ms)
      throw noAnswer({ method: 'GET', path }, 'Ended');
    this.#recovered();
  }

  #path(): string {
    const { resource, namespace = null, labelSelector, fieldSelector } = this.#options;
    return withQuery(pathOf(resource, { namespace, name: null }), {
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: this.#version,
      // Jitter, so that watches that start together do not end together.
      timeoutSeconds: Math.round(
        (KUBE_TIMES.watchLeast.ms + Math.random() * KUBE_TIMES.watchSpread.ms) / 1000,
      ),
      labelSelector,
      fieldSelector,
    });
  }

  #take(event: unknown, asked: RequestLine): void {
    if (!isEvent<T>(event)) throw noAnswer(asked, 'Unreadable');
    if (event.type === 'ERROR') throw refusalIn(asked, event.object);
    const version = event.object.metadata.resourceVersion;
    const changes = this.#changesOf(event);
    if (version !== undefined) this.#version = version;
    this.#deliver(changes);
  }

  #changesOf({ type, object }: WatchEvent<T>): Change<T>[] {
    if (type === 'BOOKMARK') return [];
    const whole = withKind(this.#options.resource, object);
    return type === 'DELETED' ? this.#follower.store.drop(whole) : this.#follower.store.put(whole);
  }

  #deliver(changes: readonly Change<T>[]): void {
    for (const change of changes) {
      this.#call(() => this.#follower.onChange(change));
    }
    this.#call(() => this.#follower.onSeen());
  }

  /** A listener that throws does not end the watch. */
  #call(listener: () => void): void {
    if (this.#stopped) return;
    try {
      listener();
    } catch (error) {
      this.#options.onProblem?.(error);
    }
  }

  async #recover(error: unknown): Promise<void> {
    this.#listDue ||= !leavesNoHole(error);
    this.#failures += 1;
    this.#setProblem(error);
    this.#report(error);
    const asked = error instanceof ApiError ? error.retryAfterMs : null;
    const ms = Math.max(backoff(this.#failures), Math.min(asked ?? 0, KUBE_TIMES.watchRetryAfter.ms));
    await pause(ms, this.#ending.signal).catch(() => undefined);
  }

  #setProblem(problem: unknown): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#call(() => this.#follower.onProblemChanged());
  }

  #report(error: unknown): void {
    const problem = error instanceof ApiError ? `${error.code} ${error.reason}` : String(error);
    if (problem === this.#reported) return;
    this.#reported = problem;
    this.#options.onProblem?.(error);
  }

  #recovered(): void {
    this.#failures = 0;
    this.#reported = '';
  }
}
