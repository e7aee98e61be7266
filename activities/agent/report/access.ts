// Tells whether the site's API server answers its agent. While it does not, what a watch has shown may be
// old.
import type { Watch } from '../../../kube/watch/watch.ts';
import { isNotFound } from '../../../kube/failure.ts';

/**
 * Open: the watch shows the present. NotServed: the API server answers that it does not know the kind, so
 * there are no objects of it. Unreachable: the API server does not answer the agent, so the present cannot be
 * known.
 */
export type WatchAccess = 'Open' | 'NotServed' | 'Unreachable';

export function accessOf({ problem }: Pick<Watch, 'problem'>): WatchAccess {
  const what = problem();
  if (what === null) return 'Open';
  return isNotFound(what) ? 'NotServed' : 'Unreachable';
}

/**
 * Resolves when everything is known: the first list has come, or the kind is not served. Rejects if the watch
 * is stopped before.
 */
export async function filled({
  synced,
  problem,
  onProblemChanged,
}: Pick<Watch, 'synced' | 'problem'> & Observed): Promise<void> {
  let end = (): void => undefined;
  const notServed = new Promise<void>((resolve) => {
    const look = (): void => {
      if (accessOf({ problem }) === 'NotServed') resolve();
    };
    end = onProblemChanged(look);
    look();
  });
  await Promise.race([synced, notServed]).finally(() => end());
}

interface Observed {
  onProblemChanged(listener: () => void): () => void;
}
