// An agent asks for its next task: from the queue of its own site, and only questions that a site answers.
import { temporal } from '../protocol.ts';
import { agentQueue } from '../../workflows/names.ts';
import { denied } from '../refusal.ts';
import { seal } from '../seal.ts';
import { GATEWAY_TIMES } from '../times.ts';
import { pollerNameOf, type CallRule } from './call.ts';
import { isAsked, isCounted } from './answers.ts';
import { api, decoded, encoded } from './messages.ts';
import { SHAPES } from './shapes.ts';

const { TASK_QUEUE_KIND_NORMAL: NORMAL, TASK_QUEUE_KIND_UNSPECIFIED: UNSAID } =
  temporal.api.enums.v1.TaskQueueKind;

const NOTHING = api.PollActivityTaskQueueResponse.create({});

/** What a worker of the SDK must know of a task. Everything else, headers above all, stays at the hub. */
const FIELDS = [
  'workflowNamespace',
  'workflowType',
  'workflowExecution',
  'activityType',
  'activityId',
  'input',
  'scheduledTime',
  'currentAttemptScheduledTime',
  'startedTime',
  'attempt',
  'scheduleToCloseTimeout',
  'startToCloseTimeout',
  'heartbeatTimeout',
  'retryPolicy',
  'pollerScalingDecision',
] as const;

export const poll: CallRule = async (
  { temporal: upstream, namespace, keys, onProblem },
  { site, request, signal },
) => {
  const { taskQueue } = decoded(api.PollActivityTaskQueueRequest, SHAPES.poll, request);
  const own = agentQueue(site.cluster);
  const isNormal = taskQueue?.kind === NORMAL || taskQueue?.kind === UNSAID;
  if (taskQueue?.name !== own || !isNormal || taskQueue.normalName)
    throw denied(`This site may poll the task queue ${own} alone.`);
  const asked = { namespace, taskQueue: { name: own, kind: NORMAL }, identity: pollerNameOf(site) };
  const found = await upstream.withAbortSignal(signal, () =>
    upstream.withDeadline(Date.now() + GATEWAY_TIMES.poll.ms, () =>
      upstream.workflowService.pollActivityTaskQueue(asked),
    ),
  );
  const token = found.taskToken ?? new Uint8Array();
  if (token.length === 0) return encoded(api.PollActivityTaskQueueResponse, NOTHING);
  const type = found.activityType?.name ?? '';
  if (!isAsked(type)) {
    onProblem('a task of a type that no site is asked was kept back', site);
    return encoded(api.PollActivityTaskQueueResponse, NOTHING);
  }
  const fields = isCounted(type) ? [...FIELDS, 'heartbeatDetails' as const] : FIELDS;
  const passed = Object.fromEntries(fields.map((field) => [field, found[field]]));
  const taskToken = seal(keys.current(), site, { type, token });
  return encoded(
    api.PollActivityTaskQueueResponse,
    api.PollActivityTaskQueueResponse.create({ ...passed, taskToken }),
  );
};
