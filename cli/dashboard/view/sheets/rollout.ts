// What a person may do with the rollout of a CappSet or a Bundle.
import { shownRevision } from '../../../../crds/rollout/revision.ts';
import { plain, type ActName, type NamedTarget, type Sheet } from './sheet.ts';

export interface RolloutTarget extends NamedTarget {
  readonly kind: 'CappSet' | 'Bundle';
  readonly revision: string;
  /** Stages that wait for approval, the next one first. */
  readonly stages: readonly string[];
  /** Their checks came to no verdict: the stage is open already. */
  readonly isInconclusive: boolean;
  readonly failed: readonly string[];
  /** Who asks may have the planner's answer: it is a write that is not stored. */
  readonly mayPlan: boolean;
}

export type RolloutActName = Extract<
  ActName,
  'approve' | 'retry' | 'abort' | 'undo' | 'pause-rollout' | 'resume-rollout'
>;

const PLAIN = {
  'pause-rollout': [
    'Pause…',
    'No further site is changed until you resume it. What is under way goes on.',
    'pause',
  ],
  'resume-rollout': ['Resume…', 'The rollout goes on where it was.', 'resume'],
} as const;

export function rolloutSheet(act: RolloutActName, of: RolloutTarget): Sheet {
  const plan = of.mayPlan ? 'rollout' : null;
  switch (act) {
    case 'approve':
      return { ...approveOf(of), plan };
    case 'retry':
      return { ...retryOf(of), plan };
    case 'undo':
      return undoOf(of);
    case 'abort':
      return plain(
        act,
        'Abort…',
        `No further site gets revision ${shownRevision(of.revision)}. Sites that have it keep it. An edit begins a new revision.`,
        commandOf(of, 'abort'),
      );
    default: {
      const [label, says, verb] = PLAIN[act];
      return plain(act, label, says, commandOf(of, verb));
    }
  }
}

function commandOf({ kind, namespace, name }: RolloutTarget, verb: string, more = ''): string {
  const what = kind === 'Bundle' ? `bundle/${name}` : name;
  return `kubectl capp rollout ${verb} ${what}${more} -n ${namespace}`;
}

function approveOf(of: RolloutTarget): Sheet {
  const [next = ''] = of.stages;
  const revision = shownRevision(of.revision);
  const says = of.isInconclusive
    ? `The stage ${next} passes for revision ${revision} although its checks came to no verdict, and the stages after it may open.`
    : `The stage ${next} opens for revision ${revision}, and for no other revision. Its sites get it as its limits and windows allow.`;
  return {
    ...plain('approve', 'Approve…', says, commandOf(of, 'approve', ' {what}')),
    // What the sheet says is said of this stage: those after it wait for an approval of their own.
    choice: { label: 'Stage', options: of.stages.slice(0, 1), none: 'the one that waits' },
  };
}

function retryOf(of: RolloutTarget): Sheet {
  const says = of.isInconclusive
    ? 'The checks are made once more, also on sites where they have passed. Sites that failed get the revision once more, with a new deadline.'
    : 'Sites that failed get the revision once more, with a new deadline.';
  return {
    ...plain('retry', 'Retry…', says, commandOf(of, 'retry', ' {what}')),
    choice: {
      label: 'Site',
      options: of.failed,
      none: of.isInconclusive ? 'all sites' : 'all sites that failed',
    },
  };
}

function undoOf(of: RolloutTarget): Sheet {
  const has = of.kind === 'Bundle' ? 'manifests' : 'template';
  return {
    ...plain(
      'undo',
      'Undo…',
      `The ${of.kind} gets the ${has} of an earlier revision as an edit of yours, which goes through the stages like any other.`,
      commandOf(of, 'undo', ' --to={what}'),
    ),
    choice: { label: 'Revision', options: null, none: 'the last one before that all sites had' },
    plan: 'undo',
  };
}
