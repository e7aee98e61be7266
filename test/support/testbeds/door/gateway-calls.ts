// What an agent, or who has taken over its site, sends to the gateway in tests.
import { status } from '@grpc/grpc-js';
import type { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { eventually } from '../../../../testbed/eventually.ts';

export const ANSWER = {
  finding: { verdict: 'Ready', healthy: true, reason: 'Ready', message: 'It serves.', statusHash: 'abc' },
  mirror: null,
};

/** The name of the gRPC code with which a call ends. */
export function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'OK',
    (error: unknown) => status[(error as { code?: number }).code ?? -1] ?? String(error),
  );
}

export const json = (value: unknown) => ({ payloads: [defaultPayloadConverter.toPayload(value)] });

/** Temporal wants to know for how long a poll waits. */
export function poll(agent: Connection, queue: string, more: object = {}) {
  const taskQueue = { name: queue, ...more };
  return agent.withDeadline(Date.now() + 60_000, () =>
    agent.workflowService.pollActivityTaskQueue({ namespace: 'default', identity: 'x', taskQueue }),
  );
}

/** Has Temporal give an agent a task, as an activity that stands alone. Returns its id. */
export async function ask(
  { workflowService }: Client,
  cluster: string,
  type = 'awaitVerdict',
  maximumAttempts = 1,
): Promise<string> {
  const activityId = `ask-${crypto.randomUUID()}`;
  await workflowService.startActivityExecution({
    namespace: 'default',
    requestId: activityId,
    activityId,
    activityType: { name: type },
    taskQueue: { name: `agent/${cluster}` },
    startToCloseTimeout: { seconds: 600 as never },
    input: json({ name: 'shop' }),
    retryPolicy: { maximumAttempts, initialInterval: { seconds: 1 as never } },
  });
  return activityId;
}

export async function taskOf(agent: Connection, cluster: string): Promise<Uint8Array> {
  return eventually(async () => {
    const { taskToken } = await poll(agent, `agent/${cluster}`);
    return taskToken?.length ? taskToken : undefined;
  });
}

export const complete = (agent: Connection, taskToken: Uint8Array, result: object = json(ANSWER)) =>
  agent.workflowService.respondActivityTaskCompleted({ namespace: 'default', taskToken, result });

const RUNNING = 1;

/** How an activity that stands alone has ended; undefined while it has not. */
export async function outcomeOf({ workflowService }: Client, activityId: string) {
  const found = await workflowService.describeActivityExecution({
    namespace: 'default',
    activityId,
    includeOutcome: true,
  });
  return (found.info?.status ?? RUNNING) === RUNNING ? undefined : (found.outcome ?? {});
}
