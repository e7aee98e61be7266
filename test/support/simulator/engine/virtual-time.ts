// Makes the code that runs in a simulated world live in its time, and draw from its dice: it asks the globals
// for both.
import type { Random } from '../../builders/random.ts';
import type { Clockwork } from './clockwork.ts';
import { beginAnew, whenIdle } from './settled.ts';

const real = {
  now: Date.now,
  elapsed: performance.now,
  random: Math.random,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
};

/** Until the function that it gives is called. Only one world can be lived in at a time. */
export function enter(clock: Clockwork, { next }: Pick<Random, 'next'>): () => void {
  beginAnew();
  Date.now = () => Math.floor(clock.now);
  // How long work takes on this machine must decide nothing: a seed tells the same story on a slow one.
  performance.now = () => clock.now;
  Math.random = next;
  globalThis.setTimeout = ((what: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const cancel = clock.after(ms, () => what(...given));
    return Object.assign(cancel, { unref: () => cancel, ref: () => cancel });
  }) as unknown as typeof setTimeout;
  globalThis.clearTimeout = (timer: unknown) => {
    if (typeof timer === 'function') timer();
  };
  globalThis.setImmediate = whenIdle as unknown as typeof setImmediate;
  return () => {
    Date.now = real.now;
    performance.now = real.elapsed;
    Math.random = real.random;
    globalThis.setTimeout = real.setTimeout;
    globalThis.clearTimeout = real.clearTimeout;
    globalThis.setImmediate = real.setImmediate;
  };
}
