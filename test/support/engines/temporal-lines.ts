// The commands that a workflow gave Temporal's own engine, as text.
import { agentQueue, CAPP_PHASE, CAPP_SITE } from '../../../workflows/names.ts';
import { payloadConverter } from '../../../workflows/parse/payload-converter.ts';
import type { Payload } from '@temporalio/common';
import { Lines, type Terms } from './lines.ts';
import type { Activation } from './record-activations.ts';

type Command = Activation['commands'][number];
type Scheduled = NonNullable<Command['scheduleActivity']>;
type Duration = Scheduled['startToCloseTimeout'];
type Attributes = NonNullable<Command['upsertWorkflowSearchAttributes']>['searchAttributes'];

export function temporalLines(activations: readonly Activation[]): readonly string[] {
  const lines = new Lines(indexOf(activations[0]?.jobs[0]?.initializeWorkflow?.searchAttributes));
  for (const { at, commands } of activations) {
    lines.begin(at);
    for (const command of commands) addCommand(lines, command);
  }
  return lines.texts;
}

export function valuesOf(payloads: readonly unknown[] | null | undefined): unknown[] {
  return (payloads ?? []).map((payload) => payloadConverter.fromPayload(payload as Payload));
}

export function indexOf(
  attributes: Attributes,
): { readonly site: string; readonly phase: string } | undefined {
  const { [CAPP_SITE]: site, [CAPP_PHASE]: phase } = attributes?.indexedFields ?? {};
  const [siteValue, phaseValue] = valuesOf([site, phase].filter((payload) => payload !== undefined));
  return phaseValue === undefined ? undefined : { site: siteValue as string, phase: phaseValue as string };
}

function addCommand(lines: Lines, command: Command): void {
  const { startTimer, scheduleActivity, scheduleLocalActivity, cancelTimer, requestCancelActivity } = command;
  if (startTimer) lines.timer(startTimer.seq ?? 0, msOf(startTimer.startToFireTimeout));
  else if (scheduleLocalActivity)
    lines.activity(scheduleLocalActivity.seq ?? 0, 'at once', callOf(scheduleLocalActivity));
  else if (scheduleActivity) {
    const { seq, taskQueue } = scheduleActivity;
    const { terms, ...call } = callOf(scheduleActivity);
    const isOfAgent = taskQueue?.startsWith(agentQueue('')) === true;
    lines.activity(seq ?? 0, `on ${taskQueue}`, { ...call, terms: isOfAgent ? null : terms });
  } else if (cancelTimer) lines.cancels('timer', cancelTimer.seq ?? 0);
  else if (requestCancelActivity) lines.cancels('activity', requestCancelActivity.seq ?? 0);
  else addOutcome(lines, command);
}

function addOutcome(lines: Lines, command: Command): void {
  const {
    upsertWorkflowSearchAttributes,
    updateResponse,
    continueAsNewWorkflowExecution,
    completeWorkflowExecution,
  } = command;
  const { failWorkflowExecution, setPatchMarker } = command;
  const index = indexOf(upsertWorkflowSearchAttributes?.searchAttributes);
  if (index !== undefined) lines.index(index.site, index.phase);
  else if (updateResponse?.completed) lines.answers(valuesOf([updateResponse.completed])[0]);
  else if (updateResponse?.rejected) lines.refuses(updateResponse.rejected.message ?? '');
  else if (continueAsNewWorkflowExecution)
    lines.ends('continues', valuesOf(continueAsNewWorkflowExecution.arguments)[0]);
  else if (completeWorkflowExecution)
    lines.ends('completes', valuesOf([completeWorkflowExecution.result])[0]);
  else if (failWorkflowExecution) lines.ends('fails', failWorkflowExecution.failure?.message);
  else if (updateResponse?.accepted) lines.accepts();
  else if (setPatchMarker) lines.patches(setPatchMarker.patchId ?? '');
  else lines.ends('fails', `with a command that nobody compares: ${Object.keys(command).join()}`);
}

function callOf({ activityType, arguments: given, startToCloseTimeout, retryPolicy }: Scheduled): {
  name: string;
  given: readonly unknown[];
  terms: Terms;
} {
  const terms = { tryMs: msOf(startToCloseTimeout), tries: retryPolicy?.maximumAttempts ?? 0 };
  return { name: activityType ?? '', given: valuesOf(given), terms };
}

function msOf(duration: Duration): number {
  const { low = 0, high = 0 } = duration?.seconds ?? {};
  return (high * 2 ** 32 + (low >>> 0)) * 1_000 + Math.floor((duration?.nanos ?? 0) / 1_000_000);
}
