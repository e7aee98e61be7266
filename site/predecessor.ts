// Whether container-app-operator still runs the Capps of this site. Two operators would overwrite each
// other's Services for ever, so ours writes nothing while it runs, and takes over once it has stopped.
import type { Capp } from '../crds/capp/capp.ts';
import { FINALIZER } from '../crds/labels.ts';
import { keyTextOf } from '../kube/resource.ts';
import type { Kube } from '../kube/client.ts';
import type { Cache } from '../kube/watch/cache.ts';
import { hasFinalizer, releaseFinalizer } from './ending/finalizer.ts';
import { SITE_TIMES } from './times.ts';

export interface Predecessor {
  /** It runs, or it is not known yet that it does not. */
  runs(): boolean;
  /** Begins to find out. Calls back each time when it is found to run no longer, or not at all. */
  watch(onGone: () => void): void;
  stop(): void;
}

export interface PredecessorOptions {
  /** Called with the probed Capp each time when it is found to run, and not again until it has been gone. */
  readonly onFound: (capp: Capp) => void;
  readonly onError: (key: string, error: unknown, failures: number) => void;
  /** How long it has to answer, in milliseconds. */
  readonly answerMs?: number;
  /** The wait before it is asked again, in milliseconds. */
  readonly againMs?: number;
}

/**
 * It puts its finalizer on every Capp that lacks it, at once. So a Capp from which we take the finalizer
 * shows whether it runs: it does if the finalizer comes back. One Capp is asked at a time, and nothing else
 * written.
 */
export function predecessor(
  kube: Pick<Kube, 'patch'>,
  capps: Pick<Cache<Capp>, 'list' | 'get' | 'subscribe'>,
  options: PredecessorOptions,
): Predecessor {
  const { predecessorAnswer, predecessorAgain } = SITE_TIMES;
  return new Probe(kube, capps, { answerMs: predecessorAnswer.ms, againMs: predecessorAgain.ms, ...options });
}

class Probe implements Predecessor {
  readonly #kube: Pick<Kube, 'patch'>;
  readonly #capps: Pick<Cache<Capp>, 'list' | 'get' | 'subscribe'>;
  readonly #options: Required<PredecessorOptions>;
  /** The uid of each Capp that was seen without the finalizer. */
  readonly #without = new Set<string>();
  #state: 'unknown' | 'runs' | 'gone' = 'unknown';
  #founds = 0;
  #timer: NodeJS.Timeout | undefined;
  #onGone: () => void = () => undefined;
  #stopped = false;

  constructor(
    kube: Pick<Kube, 'patch'>,
    capps: Pick<Cache<Capp>, 'list' | 'get' | 'subscribe'>,
    options: Required<PredecessorOptions>,
  ) {
    this.#kube = kube;
    this.#capps = capps;
    this.#options = options;
  }

  runs(): boolean {
    return this.#state !== 'gone';
  }

  watch(onGone: () => void): void {
    this.#onGone = onGone;
    for (const capp of this.#capps.list()) this.#learn(capp);
    this.#capps.subscribe(({ type, object }) => {
      const uid = object.metadata.uid ?? '';
      if (type === 'Deleted') this.#without.delete(uid);
      else if (this.#learn(object)) this.#found(object);
    });
    void this.#probe();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** True if the finalizer has come to a Capp that was without it. */
  #learn(capp: Capp): boolean {
    const { uid = '', deletionTimestamp } = capp.metadata;
    if (!hasFinalizer(capp)) {
      this.#without.add(uid);
      return false;
    }
    return this.#without.delete(uid) && deletionTimestamp === undefined;
  }

  #found(capp: Capp): void {
    const isNew = this.#state !== 'runs';
    this.#founds += 1;
    this.#state = 'runs';
    if (isNew) this.#options.onFound(capp);
    this.#later(this.#options.againMs, () => this.#probe());
  }

  /** Without a Capp that has the finalizer, nobody has ever put one on: there is nothing to ask. */
  async #probe(): Promise<void> {
    const [capp] = this.#capps
      .list()
      .filter((one) => hasFinalizer(one) && one.metadata.deletionTimestamp === undefined)
      .toSorted((a, b) => (keyTextOf(a) < keyTextOf(b) ? -1 : 1));
    if (capp === undefined) return this.#gone();
    const founds = this.#founds;
    try {
      const isAsked = await releaseFinalizer(this.#kube, capp, FINALIZER);
      // The answer may be here before the patch's own.
      if (this.#founds !== founds) return;
      if (isAsked) this.#later(this.#options.answerMs, () => this.#judge(capp));
      else this.#later(SITE_TIMES.settle.ms, () => this.#probe());
    } catch (error) {
      this.#options.onError(keyTextOf(capp), error, 1);
      this.#later(this.#options.againMs, () => this.#probe());
    }
  }

  /** By the cache: what a watch that was interrupted has not told, it shows. */
  #judge(asked: Capp): void {
    const { namespace = '', name, uid } = asked.metadata;
    const now = this.#capps.get({ namespace, name });
    if (now !== undefined && now.metadata.uid === uid && hasFinalizer(now)) this.#found(now);
    else this.#gone();
  }

  #gone(): void {
    if (this.#stopped) return;
    this.#state = 'gone';
    this.#onGone();
  }

  #later(delayMs: number, act: () => void | Promise<void>): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void act(), delayMs);
  }
}
