// An agent answers a task, or says that it is still at work. The sealed token says which task it is.
import { Failure } from '../../workflows/failures.ts';
import { textOf } from '../../workflows/parse/fields.ts';
import { unseal } from '../seal.ts';
import { readProgress, readResult } from './answers.ts';
import { pollerNameOf, type CallContext, type CallRule } from './call.ts';
import { api, decoded, encoded } from './messages.ts';
import { SHAPES } from './shapes.ts';
import { soon } from './soon.ts';
import type { CallingSite } from '../site.ts';

/** Bytes of UTF-8. */
const LONGEST_MESSAGE = 256;

export const complete: CallRule = async (context, { site, request, signal }) => {
  const { taskToken, result } = decoded(api.RespondActivityTaskCompletedRequest, SHAPES.complete, request);
  const { type, token } = await unseal(context.keys, site, taskToken);
  const payload = readResult(type, result);
  await soon(context.temporal, signal, () =>
    context.temporal.workflowService.respondActivityTaskCompleted({
      ...madeBy(context, site, token),
      result: { payloads: [payload] },
    }),
  );
  return encoded(api.RespondActivityTaskCompletedResponse, {});
};

/**
 * Whatever an agent calls its failure, the workflow sees a failure of the activity, which it tries again: no
 * cause, no details, no stack, no delay.
 */
export const fail: CallRule = async (context, { site, request, signal }) => {
  const { taskToken, failure } = decoded(api.RespondActivityTaskFailedRequest, SHAPES.fail, request);
  const { token } = await unseal(context.keys, site, taskToken);
  await soon(context.temporal, signal, () =>
    context.temporal.workflowService.respondActivityTaskFailed({
      ...madeBy(context, site, token),
      failure: {
        message: textOf(failure?.message, LONGEST_MESSAGE),
        source: 'gateway',
        applicationFailureInfo: { type: Failure.Unreachable, nonRetryable: false },
      },
    }),
  );
  return encoded(api.RespondActivityTaskFailedResponse, {});
};

export const cancel: CallRule = async (context, { site, request, signal }) => {
  const { taskToken } = decoded(api.RespondActivityTaskCanceledRequest, SHAPES.task, request);
  const { token } = await unseal(context.keys, site, taskToken);
  await soon(context.temporal, signal, () =>
    context.temporal.workflowService.respondActivityTaskCanceled(madeBy(context, site, token)),
  );
  return encoded(api.RespondActivityTaskCanceledResponse, {});
};

/** Of checks it carries what was counted; what cannot be read is left out, and the task stays alive. */
export const heartbeat: CallRule = async (context, { site, request, signal }) => {
  const given = decoded(api.RecordActivityTaskHeartbeatRequest, SHAPES.heartbeat, request);
  const { type, token } = await unseal(context.keys, site, given.taskToken);
  const progress = readProgress(type, given.details);
  const beat = {
    ...madeBy(context, site, token),
    ...(progress === null ? {} : { details: { payloads: [progress] } }),
  };
  const { cancelRequested, activityPaused, activityReset } = await soon(context.temporal, signal, () =>
    context.temporal.workflowService.recordActivityTaskHeartbeat(beat),
  );
  return encoded(api.RecordActivityTaskHeartbeatResponse, { cancelRequested, activityPaused, activityReset });
};

function madeBy({ namespace }: CallContext, site: CallingSite, taskToken: Uint8Array) {
  return { namespace, taskToken, identity: pollerNameOf(site) };
}
