// A hub worker that dies at every write of its turns, and the workflow that has them tried again.
import type { Fault, Seen } from '../../servers/network/fault-proxy.ts';
import type { Looker } from './looker.ts';

/** Of each write, the first try is lost on its way there, and the answer to the second on its way back. */
export function losses(): {
  readonly decide: (seen: Seen) => Fault | undefined;
  readonly count: () => number;
} {
  const tries = new Map<string, number>();
  let count = 0;
  return {
    decide: ({ method, path }) => {
      if (method === 'GET') return undefined;
      // Without the time that is left, which differs from try to try.
      const key = `${method} ${path.replace(/[?&]timeout=\d+ms/, '')}`;
      const tried = tries.get(key) ?? 0;
      tries.set(key, (tried + 1) % 3);
      if (tried === 2) return undefined;
      count += 1;
      return { sever: tried === 0 ? 'before' : 'after' };
    },
    count: () => count,
  };
}

/**
 * As the workflow does: it tries again with what it remembers, until a try has told it what it did. What
 * could not be written is tried again at once, and not after a few seconds.
 */
export async function look(looker: Looker, afterEach: () => Promise<void>): Promise<void> {
  for (;;) {
    const died = await looker.look().then(
      () => false,
      () => true,
    );
    await afterEach();
    const { memory } = looker;
    if (!died && Object.keys(memory?.refused ?? {}).length === 0) return;
    if (memory !== null) looker.memory = { ...memory, refused: {} };
  }
}
