// Keeps workflows for objects on the hub: rings each for what has changed, and starts it if it does not run.
// The workflow looks for itself at what has changed.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { HUB_QUEUE } from '../../workflows/names.ts';
import { rings, type SeenVersions, type Rings } from '../rings.ts';
import { endEarlier } from './earlier.ts';
import { runningIn } from './running.ts';

/** A kind of objects that have a workflow each. */
export interface WorkflowKind {
  /** The type of its workflows. */
  readonly type: string;
  /** The types that earlier versions had instead. */
  readonly earlierTypes: readonly string[];
  /** Whether a workflow id is one of this kind. */
  isOwn(workflowId: string): boolean;
  /**
   * Of synced caches: the ids of workflows that are to be rung, or started. `isFirst`: since this process
   * began, nobody has looked.
   */
  due(running: ReadonlySet<string>, isFirst: boolean): Iterable<string>;
  messageTo(workflowId: string, changed: SeenVersions): Message;
  /** Calls for what changes. Returns the function that ends it. */
  listen(call: Rings['call']): () => void;
}

/** What a workflow is sent. */
export interface Message {
  /** The name of a signal. */
  readonly signal: string;
  readonly given: readonly unknown[];
  /** How it is started if it does not run; null: it has nothing to do then. */
  readonly start: {
    readonly args: readonly unknown[];
    readonly summary: string;
    readonly priority?: { readonly priorityKey: number };
  } | null;
}

export interface WorkflowKeeper {
  /**
   * Rings what is due, as after a loss of Temporal's data, and ends what runs of earlier types, whose objects
   * get a workflow of today. Takes synced caches. Throws what the Temporal client throws.
   */
  compare(): Promise<void>;
  stop(): Promise<void>;
}

/** `onError` hears of each ring that fails, which is sent again, and of each run that may not be ended. */
export function keep(
  client: Pick<Client, 'workflow'>,
  kept: WorkflowKind,
  onError: (workflowId: string, error: unknown) => void,
): WorkflowKeeper {
  const { call, stop } = rings((id, changed) => send(client, kept, id, changed), onError);
  const end = kept.listen(call);
  let isFirst = true;
  return {
    compare: async () => {
      const running = await runningIn(client, [kept.type], (id) => kept.isOwn(id));
      for (const id of kept.due(running, isFirst)) call(id, {});
      isFirst = false;
      // What was rung for an earlier run is rung once more, and starts a workflow of today.
      for (const id of await endEarlier(client, kept.earlierTypes, onError)) if (kept.isOwn(id)) call(id, {});
    },
    stop: () => {
      end();
      return stop();
    },
  };
}

async function send(
  client: Pick<Client, 'workflow'>,
  kept: WorkflowKind,
  workflowId: string,
  changed: SeenVersions,
): Promise<void> {
  const { signal, given, start } = kept.messageTo(workflowId, changed);
  if (start === null) return tell(client, workflowId, { signal, given });
  const { args, summary, priority } = start;
  await client.workflow.signalWithStart(kept.type, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [...args],
    signal,
    signalArgs: [...given],
    staticSummary: summary,
    ...(priority === undefined ? {} : { priority }),
  });
}

/** One that has ended needs no ring. */
async function tell(
  client: Pick<Client, 'workflow'>,
  workflowId: string,
  { signal, given }: Pick<Message, 'signal' | 'given'>,
): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal<unknown[]>(signal, ...given);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
