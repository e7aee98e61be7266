// Reports works of the Go operator whose Capp is gone. Cappstan did not make them, so it never deletes them.
import { isWorkName } from '../../crds/ocm/work-identity.ts';
import { leftBy } from './own-works.ts';
import type { Watched } from '../changes/watched.ts';

export interface Leftover {
  readonly cluster: string;
  readonly name: string;
  /** Removes it, and what it has brought to the cluster. */
  readonly command: string;
}

/**
 * By cluster and name. They have a name that the Go operator gives and no label of ours, and no Capp has
 * works of that name.
 */
export function leftovers(watched: Pick<Watched, 'capps' | 'works'>): Leftover[] {
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

/** Gives a look to take again and again: it tells of them when they are others than at the last look. */
export function leftoverWatch(
  watched: Pick<Watched, 'capps' | 'works'>,
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
