// Temporal as the gateway of a simulated world reaches it: the questions to the site that lies, and signals
// to workflows. It takes what the gateway sends, so that what comes here has been let through.
import { status } from '@grpc/grpc-js';
import { ActivityFailure, ApplicationFailure, defaultPayloadConverter, RetryState } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import type { Temporal } from '../../../../gateway/calls/call.ts';
import type { Agent } from '../../../../workflows/ports/agent.ts';
import { agentQueue } from '../../../../workflows/names.ts';
import { fail } from '../rules/breach.ts';
import type { Cancel } from '../engine/clockwork.ts';
import type { Done } from '../engine/exchange.ts';
import { silence } from '../site/silence.ts';
import type { World } from '../world/world.ts';

/** What a site is asked. */
export interface Asking {
  readonly kind: keyof Agent;
  readonly given: readonly unknown[];
}

interface Task extends Asking {
  readonly done: Done;
  attempt: number;
  isOver: boolean;
}

export interface Heard {
  /** An answer has reached Temporal. */
  answered(asking: Asking, value: unknown): void;
  signalled(workflowId: string, name: string, value: unknown): boolean;
}

interface Completed {
  readonly taskToken: Uint8Array;
  readonly result?: { readonly payloads?: readonly Payload[] };
}

interface Signalled {
  readonly workflowExecution: { readonly workflowId: string };
  readonly signalName: string;
  readonly input: { readonly payloads: readonly Payload[] };
}

/** A site that heartbeats may keep a question for so long, in milliseconds: as in `proxies.ts`. */
const LONGEST_MS = 1_800_000;
const SILENT_MS = 60_000;
const RETRY_MS = 1_000;
const MOST_TRIES = 3;

export class Upstream {
  readonly #world: World;
  readonly #site: string;
  readonly #heard: Heard;
  #waiting: Task[] = [];
  readonly #given = new Map<string, Task>();
  #tokens = 0;

  constructor(world: World, site: string, heard: Heard) {
    this.#world = world;
    this.#site = site;
    this.#heard = heard;
  }

  /** A question, which is answered, fails, or is given up. */
  ask(asking: Asking, done: Done): Cancel {
    const task: Task = {
      ...asking,
      done: (outcome) => this.#end(task, () => done(outcome)),
      attempt: 1,
      isOver: false,
    };
    this.#waiting.push(task);
    const { clock } = this.#world;
    const most = this.#world.between(SILENT_MS, asking.kind === 'awaitVerdict' ? LONGEST_MS : SILENT_MS);
    const cancel = clock.after(most, () => task.done({ error: silence(asking.kind) }));
    return () => {
      cancel();
      this.#end(task, () => undefined);
    };
  }

  /** As the gateway has it. */
  temporal(): Temporal {
    const workflowService = {
      pollActivityTaskQueue: (asked: { taskQueue: { name: string } }) => this.#poll(asked.taskQueue.name),
      respondActivityTaskCompleted: (said: Completed) => this.#completed(said),
      respondActivityTaskFailed: ({ taskToken }: Completed) => this.#failed(taskToken),
      // Nobody has asked to cancel it.
      respondActivityTaskCanceled: () => Promise.reject(refused(status.INVALID_ARGUMENT)),
      recordActivityTaskHeartbeat: () => Promise.resolve({ cancelRequested: false }),
      signalWorkflowExecution: (said: Signalled) => this.#signalled(said),
    };
    return {
      workflowService,
      withAbortSignal: <T>(_signal: AbortSignal, work: () => Promise<T>) => work(),
      withDeadline: <T>(_until: number, work: () => Promise<T>) => work(),
    } as unknown as Temporal;
  }

  #poll(queue: string): Promise<object> {
    if (queue !== agentQueue(this.#site)) fail(this.#world, 'gateway: a site polls another queue', queue);
    const task = this.#waiting.shift();
    if (task === undefined) return Promise.resolve({});
    this.#tokens += 1;
    const token = `task-${this.#tokens}`;
    this.#given.set(token, task);
    return Promise.resolve({ taskToken: Buffer.from(token), activityType: { name: task.kind } });
  }

  #task(taskToken: Uint8Array): Task {
    const task = this.#given.get(Buffer.from(taskToken).toString());
    if (task === undefined) throw refused(status.NOT_FOUND);
    return task;
  }

  async #completed({ taskToken, result }: Completed): Promise<object> {
    const task = this.#task(taskToken);
    const [payload] = result?.payloads ?? [];
    const value: unknown = defaultPayloadConverter.fromPayload(payload ?? {});
    this.#heard.answered(task, value);
    task.done({ value });
    return {};
  }

  /** Temporal tries again, a report three times at most. */
  async #failed(taskToken: Uint8Array): Promise<object> {
    const task = this.#task(taskToken);
    if (task.attempt >= MOST_TRIES && task.kind !== 'awaitVerdict') task.done({ error: failure(task.kind) });
    else {
      task.attempt += 1;
      this.#given.delete(Buffer.from(taskToken).toString());
      this.#world.clock.after(RETRY_MS, () => {
        if (!task.isOver) this.#waiting.push(task);
      });
    }
    return {};
  }

  async #signalled({ workflowExecution, signalName, input }: Signalled): Promise<object> {
    const [payload] = input.payloads;
    const value: unknown = defaultPayloadConverter.fromPayload(payload ?? {});
    if (!this.#heard.signalled(workflowExecution.workflowId, signalName, value))
      throw refused(status.NOT_FOUND);
    return {};
  }

  #end(task: Task, then: () => void): void {
    if (task.isOver) return;
    task.isOver = true;
    this.#waiting = this.#waiting.filter((one) => one !== task);
    for (const [token, one] of this.#given) if (one === task) this.#given.delete(token);
    then();
  }
}

function refused(code: status): Error {
  return Object.assign(new Error(status[code]), { code });
}

function failure(kind: string): ActivityFailure {
  const cause = ApplicationFailure.create({ type: 'Unreachable', message: 'a lie' });
  return new ActivityFailure(
    'Activity task failed',
    kind,
    undefined,
    RetryState.MAXIMUM_ATTEMPTS_REACHED,
    undefined,
    cause,
  );
}
