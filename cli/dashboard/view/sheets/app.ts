// What a person may do with one Capp.
import { plain, type NamedTarget, type Sheet } from './sheet.ts';

export interface AppTarget extends NamedTarget {
  /** The CappSet that keeps it on its site, so that it does not move; null if there is none. */
  readonly set: string | null;
  /** Where it is; null for nowhere. */
  readonly site: string | null;
  readonly isPaused: boolean;
  /** `spec.migration.strategy` is Recreate: never two copies. */
  readonly isRecreated: boolean;
  /** It has had an earlier spec. */
  readonly hasPast: boolean;
  /** To which it could go, the best first. */
  readonly sites: readonly string[];
}

export function appSheets(target: AppTarget): Sheet[] {
  const { set, hasPast } = target;
  const pause = pauseOf(target);
  if (set !== null) return [pause];
  return [moveOf(target), ...(hasPast ? [rollbackOf(target)] : []), pause];
}

/** With Recreate nobody is served meanwhile, and no old copy is there to go back to. */
function moveOf({ namespace, name, site, sites, isRecreated }: AppTarget): Sheet {
  const [best] = sites;
  const gap = `The copy ${site === null ? 'that is there' : `on ${site}`} is removed first, since spec.migration.strategy is Recreate. Then one starts on the other site: until it serves, nobody is served. If it does not become Ready, no old copy is there to go back to.`;
  const noGap =
    'A second copy starts on the other site. Users are sent there once it serves, and then the old copy is removed. If the new copy does not become Ready, the Capp stays where it is.';
  return {
    ...plain('move', 'Move…', isRecreated ? gap : noGap, `kubectl capp move ${name} {what} -n ${namespace}`),
    choice: {
      label: 'To',
      options: sites,
      none: best === undefined ? 'the best other site' : `the best other site (by the last choice: ${best})`,
    },
  };
}

function rollbackOf({ namespace, name }: AppTarget): Sheet {
  return {
    ...plain(
      'rollback',
      'Roll back…',
      'The Capp gets the spec of an earlier revision, as an edit of yours: a new generation, which is rolled out like any other. Revisions stand under "What happened".',
      `kubectl capp rollback ${name} --to={what} --reason={why} -n ${namespace}`,
    ),
    choice: { label: 'Revision', options: null, none: 'the last one with another spec' },
    takesReason: true,
    plan: 'rollback',
  };
}

function pauseOf({ namespace, name, isPaused }: AppTarget): Sheet {
  return isPaused
    ? plain(
        'resume',
        'Resume…',
        'The hub acts for this Capp again: what was asked for meanwhile is done now.',
        `kubectl capp resume ${name} -n ${namespace}`,
      )
    : plain(
        'pause',
        'Pause…',
        'Nothing is changed on any site until you resume it, and what runs goes on. Deletion is not paused.',
        `kubectl capp pause ${name} -n ${namespace}`,
      );
}
