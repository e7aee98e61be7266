// What a person may ask of a rollout as it stands now.
import { approvableIn, isInconclusive } from '../../../explain/set/approval.ts';
import { rolloutView, type ExplainedFleet } from '../../../explain/set/rollout.ts';
import type { May, Plural } from '../facts.ts';
import { rolloutSheet, type RolloutActName } from '../sheets/rollout.ts';
import type { Sheet } from '../sheets/sheet.ts';

function pluralOf({ is }: ExplainedFleet): Plural {
  return is === 'CappSet' ? 'cappsets' : 'bundles';
}

/** A plan is a write that the hub does not store, and so needs the right to write. */
export function mayPlan(one: ExplainedFleet, may: May): boolean {
  return may('update', pluralOf(one), one.object.metadata.namespace ?? '');
}

/** None before the hub has looked at it. */
export function actsOn(one: ExplainedFleet, may: May): Sheet[] {
  const { namespace = '', name } = one.object.metadata;
  const { revision, reason, failing } = rolloutView(one);
  if (revision === '') return [];
  const acts: RolloutActName[] = [
    ...(may('patch', pluralOf(one), namespace) ? wantedOf(one) : []),
    ...(may('update', pluralOf(one), namespace) ? (['undo'] as const) : []),
  ];
  const target = {
    kind: one.is,
    namespace,
    name,
    revision,
    stages: approvableIn(one).waiting,
    isInconclusive: isInconclusive(reason),
    failed: [...new Set(failing.map(({ site }) => site))],
    mayPlan: mayPlan(one, may),
  };
  return acts.map((act) => rolloutSheet(act, target));
}

/** What no verdict came of is decided as the command decides it: approved, or checked once more. */
function wantedOf(one: ExplainedFleet): RolloutActName[] {
  const { reason, stages } = rolloutView(one);
  const isUnknown = isInconclusive(reason);
  const hasFailed = stages.some(({ failed }) => failed > 0);
  const isOver = reason === 'Done' || reason === 'Ready';
  return [
    ...(reason === 'AwaitsApproval' || isUnknown ? (['approve'] as const) : []),
    ...(hasFailed || isUnknown ? (['retry'] as const) : []),
    reason === 'Paused' ? 'resume-rollout' : 'pause-rollout',
    ...(isOver || reason === 'Aborted' ? [] : (['abort'] as const)),
  ];
}
