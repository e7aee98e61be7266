// Reports works of the Go operator whose Capp is gone. Cappstan did not make them, so it never deletes them.
import { isWorkName } from '../../crds/ocm/work-identity.ts';
import { leftBy } from './own-works.ts';
import type { BridgeWatched } from '../changes/watched.ts';

export interface Leftover {
  readonly cluster: string;
  readonly name: string;
  /** The command that removes it, with what it brought to the cluster. */
  readonly command: string;
}

/**
 * By cluster and name: works with a name that the Go operator gives, without our label, and without a Capp
 * that has works of that name.
 */
export function leftovers(watched: Pick<BridgeWatched, 'capps' | 'works'>): Leftover[] {
  return watched.works
    .list()
    .filter(
      ({ metadata: { name, deletionTimestamp } }) =>
        isWorkName(name) && deletionTimestamp === undefined && watched.capps.by('work', name).length === 0,
    )
    .filter((work) => leftBy(watched, work) === null)
    .map(({ metadata: { name, namespace: cluster = '' } }) => ({
      cluster,
      name,
      command: `kubectl -n ${cluster} delete manifestwork ${name}`,
    }))
    .toSorted((a, b) => (a.command < b.command ? -1 : 1));
}

/** Returns a look to repeat: it reports these works when they differ from the last look. */
export function leftoverWatch(
  watched: Pick<BridgeWatched, 'capps' | 'works'>,
  tell: (found: readonly Leftover[]) => void,
): () => void {
  let known = '';
  return () => {
    const found = leftovers(watched);
    const now = found.map(({ command }) => command).join('\n');
    if (now !== known) tell(found);
    known = now;
  };
}
