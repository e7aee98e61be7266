// The testbed of a flow test: workers for the hub and its sites in memory, and a client that signals a Capp's
// workflow as the bridge does.
import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { capp } from '../../../workflows/index.ts';
import { ring, view } from '../../../workflows/messages.ts';
import {
  agentQueue,
  CAPP_NAMESPACE,
  CAPP_PHASE,
  CAPP_SITE,
  CAPP_WORKFLOW,
  cappWorkflowId,
  FIRST_PHASE,
  HUB_QUEUE,
  NO_SITE,
} from '../../../workflows/names.ts';
import { CAUSES, rungFor, type Cause, type Ring } from '../../../workflows/types/ring.ts';
import { initialState, type CappRef, type State } from '../../../workflows/capp/state.ts';
import { workflowBundle } from '../flow/bundle.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { world, type World } from './world/world.ts';

/** A worker that runs until it is told otherwise. */
export interface Actor {
  /**
   * At once: an activity that heeds its cancellation fails, one that does not is never answered, as after
   * SIGKILL.
   */
  stop(): Promise<void>;
}

export interface FlowTestbed {
  readonly world: World;
  readonly client: Client;
  readonly capp: CappRef;
  startHub(options?: Partial<WorkerOptions>): Promise<Actor>;
  startAgent(cluster?: string): Promise<Actor>;
  /** As the bridge rings: starts the workflow if it does not run. */
  ring(...causes: Cause[]): Promise<void>;
  state(): Promise<State>;
  /** Resolves when the workflow's state is as asked. */
  until(isSo: (state: State) => boolean, withinMs?: number): Promise<State>;
  /** At rest: every ring answered and the copy Ready. */
  untilReady(): Promise<State>;
  /** COMPLETED, RUNNING and the like, and the run that it is of. */
  describe(): Promise<{ readonly status: string; readonly runId: string }>;
  /** Of a run, when its workflow has answered all that came in. */
  history(runId?: string): Promise<History>;
  /** Ends the workflow and all workers. */
  close(): Promise<void>;
}

export interface FlowTestbedOptions {
  readonly address: string;
  readonly namespace: string;
  /** Unique in its namespace. */
  readonly name: string;
}

export async function openFlowTestbed({
  address,
  namespace,
  name,
}: FlowTestbedOptions): Promise<FlowTestbed> {
  const identity = 'test';
  const temporal = await TestWorkflowEnvironment.createFromExistingServer({
    address,
    namespace,
    client: { identity },
  });
  const { client } = temporal;
  const ref: CappRef = { namespace: 'apps', name, uid: 'uid-1' };
  const workflowId = cappWorkflowId(ref.namespace, ref.name);
  const played = world();
  const actors: Actor[] = [];
  const act = async (options: WorkerOptions): Promise<Actor> => {
    const actor = run(
      await Worker.create({ connection: temporal.nativeConnection, namespace, identity, ...options }),
    );
    actors.push(actor);
    return actor;
  };
  const state = (): Promise<State> => client.workflow.getHandle(workflowId).query(view);
  const until = (isSo: (state: State) => boolean, withinMs = 120_000): Promise<State> => {
    let last: State | null = null;
    const look = async (): Promise<State | undefined> => {
      last = await state();
      if (isSo(last)) return last;
      throw new Error(`the state is still ${JSON.stringify(last)}`);
    };
    return eventually(look, { withinMs });
  };
  return {
    world: played,
    client,
    capp: ref,
    startHub: async (options) =>
      act({
        taskQueue: HUB_QUEUE,
        activities: played.hub,
        workflowBundle: await workflowBundle(),
        stickyQueueScheduleToStartTimeout: '1s',
        shutdownForceTime: '100ms',
        ...options,
      }),
    startAgent: (cluster = 'site-1') =>
      act({
        taskQueue: agentQueue(cluster),
        activities: played.agent(cluster),
        maxHeartbeatThrottleInterval: '1s',
        shutdownForceTime: '100ms',
      }),
    ring: async (...causes) => {
      const said: Ring = { ...rungFor('spec'), causes: CAUSES.filter((cause) => causes.includes(cause)) };
      await client.workflow.signalWithStart<typeof capp, [Ring]>(CAPP_WORKFLOW, {
        workflowId,
        taskQueue: HUB_QUEUE,
        args: [initialState({ ...ref, uid: played.capp?.uid ?? ref.uid })],
        signal: ring,
        signalArgs: [said],
        staticSummary: `Capp ${ref.namespace}/${ref.name}`,
        typedSearchAttributes: [
          { key: defineSearchAttributeKey(CAPP_NAMESPACE, 'KEYWORD'), value: ref.namespace },
          { key: defineSearchAttributeKey(CAPP_SITE, 'KEYWORD'), value: NO_SITE },
          { key: defineSearchAttributeKey(CAPP_PHASE, 'KEYWORD'), value: FIRST_PHASE },
        ],
      });
    },
    state,
    until,
    untilReady: () =>
      until(
        ({ due, serving, copies }) => due.length === 0 && copies[serving ?? '']?.finding?.verdict === 'Ready',
      ),
    describe: async () => {
      const { status, runId } = await client.workflow.getHandle(workflowId).describe();
      return { status: status.name, runId };
    },
    history: async (runId) => {
      const handle = client.workflow.getHandle(workflowId, runId);
      await eventually(async () => ((await handle.describe()).raw.pendingWorkflowTask ? undefined : true));
      return handle.fetchHistory();
    },
    close: async () => {
      await client.workflow
        .getHandle(workflowId)
        .terminate('the test is over')
        .catch(() => undefined);
      await Promise.all(actors.map((actor) => actor.stop()));
      await temporal.teardown();
    },
  };
}

function run(worker: Worker): Actor {
  const ended = worker.run().catch(() => undefined);
  return {
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}
