// What a person may do here: what will happen, in words, and the equal command. A sheet is shown before
// anything is written.
import { shownRevision } from '../../../crds/rollout/revision.ts';

export const ACTS = [
  'move',
  'pause',
  'resume',
  'approve',
  'pause-rollout',
  'resume-rollout',
  'abort',
  'retry',
  'undo',
  'drain',
  'pause-drain',
  'resume-drain',
  'stop-drain',
] as const;
export type ActName = (typeof ACTS)[number];

export interface Sheet {
  readonly act: ActName;
  /** On the button. */
  readonly label: string;
  /** What will happen, and what will not. */
  readonly says: string;
  /** For a shell; ` {what}` stands for what is chosen or written. */
  readonly command: string;
  /** What may be chosen beside it; null for nothing. */
  readonly choice: SheetChoice | null;
}

export interface SheetChoice {
  readonly label: string;
  /** Null: any text may be written. */
  readonly options: readonly string[] | null;
  /** What it means to choose nothing. */
  readonly none: string;
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

interface NamedApp extends Named {
  /** The CappSet that keeps it on its site, so that it does not move; null if there is none. */
  readonly set: string | null;
}

/** `sites` are those to which it could go, the best first. */
export function appSheets(
  { namespace, name, set }: NamedApp,
  isPaused: boolean,
  sites: readonly string[],
): Sheet[] {
  const move: Sheet = {
    act: 'move',
    label: 'Move…',
    says: 'A second copy starts on the other site. Users are sent there once it serves, and then the old copy is removed. If the new copy does not become Ready, the Capp stays where it is.',
    command: `kubectl capp move ${name} {what} -n ${namespace}`,
    choice: { label: 'To', options: sites, none: 'the best other site' },
  };
  const pause: Sheet = isPaused
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
  return set === null ? [move, pause] : [pause];
}

interface OfRollout extends Named {
  readonly kind: 'CappSet' | 'Bundle';
  readonly revision: string;
  readonly acts: readonly Exclude<ActName, 'move' | 'pause' | 'resume' | `${string}drain`>[];
  /** Stages that wait for approval, the next one first. */
  readonly stages: readonly string[];
  readonly failed: readonly string[];
}

export function rolloutSheets(of: OfRollout): Sheet[] {
  const what = of.kind === 'Bundle' ? `bundle/${of.name}` : of.name;
  const command = (verb: string, more = ''): string =>
    `kubectl capp rollout ${verb} ${what}${more} -n ${of.namespace}`;
  const revision = shownRevision(of.revision);
  const sheets: Record<OfRollout['acts'][number], Sheet> = {
    approve: {
      act: 'approve',
      label: 'Approve…',
      says: `The stage ${of.stages[0] ?? ''} opens for revision ${revision}, and for no other revision. Its sites get it as its limits and windows allow.`,
      command: command('approve', ' {what}'),
      choice: { label: 'Stage', options: of.stages, none: 'the one that waits' },
    },
    'pause-rollout': plain(
      'pause-rollout',
      'Pause…',
      'No further site is changed until you resume it. What is under way goes on.',
      command('pause'),
    ),
    'resume-rollout': plain(
      'resume-rollout',
      'Resume…',
      'The rollout goes on where it was.',
      command('resume'),
    ),
    abort: plain(
      'abort',
      'Abort…',
      `No further site gets revision ${revision}. Sites that have it keep it. An edit begins a new revision.`,
      command('abort'),
    ),
    retry: {
      act: 'retry',
      label: 'Retry…',
      says: 'Sites that failed get the revision once more, with a new deadline.',
      command: command('retry', ' {what}'),
      choice: { label: 'Site', options: of.failed, none: 'all sites that failed' },
    },
    undo: {
      act: 'undo',
      label: 'Undo…',
      says: `The ${of.kind} gets the ${of.kind === 'Bundle' ? 'manifests' : 'template'} of an earlier revision as an edit of yours, which goes through the stages like any other.`,
      command: command('undo', ' --to={what}'),
      choice: { label: 'Revision', options: null, none: 'the last one before that all sites had' },
    },
  };
  return of.acts.map((act) => sheets[act]);
}

export function drainSheet(site: string): Sheet {
  return {
    act: 'drain',
    label: 'Drain…',
    says: `All Capps that may leave ${site} are moved to other sites, as many at once as the lanes allow, and nothing new is placed there until you end the drain.`,
    command: `kubectl capp drain ${site} --reason={what}`,
    choice: { label: 'Reason', options: null, none: 'none' },
  };
}

const DRAINS = {
  'pause-drain': [
    'Pause…',
    'No more Capps are told to leave. Those on their way arrive, and nothing new is placed on the site.',
    '--pause',
  ],
  'resume-drain': ['Resume…', 'Capps are told to leave again, as the lanes allow.', '--resume'],
  'stop-drain': [
    'End…',
    'Capps on their way arrive, all others stay, and new ones may be placed on the site again.',
    '--stop',
  ],
} as const;

export function drainActSheet(act: keyof typeof DRAINS, site: string): Sheet {
  const [label, says, flag] = DRAINS[act];
  return plain(act, label, says, `kubectl capp drain ${site} ${flag}`);
}

function plain(act: ActName, label: string, says: string, command: string): Sheet {
  return { act, label, says, command, choice: null };
}
