// Rings workflows. Rings for one Capp that come while its last ring is under way become one more ring.
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { keyedQueue, type KeyedQueue } from '../kube/queue.ts';
import { ring } from '../workflows/messages.ts';
import {
  CAPP_NAMESPACE,
  CAPP_PHASE,
  CAPP_SITE,
  CAPP_WORKFLOW,
  cappWorkflowId,
  FIRST_PHASE,
  HUB_QUEUE,
  NO_SITE,
} from '../workflows/names.ts';
import { CAUSES, newest, type Cause, type Ring } from '../workflows/types/ring.ts';
import { initialState } from '../workflows/capp/state.ts';
import type { YieldPace } from './yield-pace.ts';
import { defineSearchAttributeKey } from '@temporalio/common';

export interface RingCall {
  readonly namespace: string;
  readonly name: string;
  readonly cause: Cause;
  /** The object that changed; null when the cause is not a change. */
  readonly changed: { readonly kind: string; readonly resourceVersion: string } | null;
  /** How new other kinds must be that the answer depends on. */
  readonly beside?: Ring['minimumVersions'];
  /**
   * It goes after all that is new or that a person asked: it settles, or looks again at what may be as it
   * was.
   */
  readonly yields?: boolean;
  /** Milliseconds that the ring may wait for others of the same Capp. */
  readonly patienceMs?: number;
  /** By cluster, when its agent last polled, in milliseconds since the epoch. */
  readonly seen?: Ring['seen'];
  /** Somebody has overwritten the status that its workflow published. */
  readonly tellAgain?: boolean;
  /** The Capp's uid: a workflow is started if none runs. Null: only a running one is rung. */
  readonly uid: string | null;
}

export interface Ringer {
  ring(call: RingCall): void;
  readonly queue: Pick<KeyedQueue, 'size' | 'oldestAt' | 'idle' | 'stop'>;
}

interface Waiting {
  readonly ring: Ring;
  readonly yields: boolean;
  readonly uid: string | null;
}

/**
 * One of Temporal's five priorities: 1 is the first, 3 is the default. A workflow keeps it for its whole
 * life.
 */
const LAST_PRIORITY = 4;

const NAMESPACE = defineSearchAttributeKey(CAPP_NAMESPACE, 'KEYWORD');
const SITE = defineSearchAttributeKey(CAPP_SITE, 'KEYWORD');
const PHASE = defineSearchAttributeKey(CAPP_PHASE, 'KEYWORD');

/**
 * Rings workflows of Capps, and starts those that do not run. Rings that wait for the same Capp become one.
 */
export function ringer(
  client: Pick<Client, 'workflow'>,
  onError: (key: string, error: unknown, failures: number) => void,
  pace: YieldPace,
): Ringer {
  const waiting = new Map<string, Waiting>();
  const queue = keyedQueue({
    concurrency: 32,
    yields: (key) => waiting.get(key)?.yields === true,
    onError,
    work: async (key) => {
      // One change may have several causes, which ring one after the other.
      await Promise.resolve();
      const next = waiting.get(key);
      waiting.delete(key);
      if (next === undefined) return;
      await send(client, key, next).catch((error: unknown) => {
        const newer = waiting.get(key);
        waiting.set(key, newer === undefined ? next : merge(newer, next));
        throw error;
      });
      if (next.yields) await new Promise((resolve) => void setTimeout(resolve, pace.pauseMs()));
    },
  });
  return {
    queue,
    ring: ({
      namespace,
      name,
      cause,
      changed,
      beside = {},
      uid,
      seen = {},
      tellAgain = false,
      yields = false,
      patienceMs = 0,
    }) => {
      const key = `${namespace}/${name}`;
      const minimumVersions =
        changed === null ? beside : newest(beside, { [changed.kind]: changed.resourceVersion });
      waiting.set(
        key,
        merge(
          { ring: { causes: [cause], minimumVersions, ...sight(seen), ...again(tellAgain) }, uid, yields },
          waiting.get(key),
        ),
      );
      queue.add(key, patienceMs);
    },
  };
}

function merge(next: Waiting, before: Waiting | undefined): Waiting {
  if (before === undefined) return next;
  const causes = CAUSES.filter(
    (cause) => next.ring.causes.includes(cause) || before.ring.causes.includes(cause),
  );
  const seen = sight({ ...before.ring.seen, ...next.ring.seen });
  const tellAgain = again(next.ring.tellAgain === true || before.ring.tellAgain === true);
  return {
    ring: {
      causes,
      minimumVersions: newest(before.ring.minimumVersions, next.ring.minimumVersions),
      ...seen,
      ...tellAgain,
    },
    uid: next.uid ?? before.uid,
    yields: next.yields && before.yields,
  };
}

/** Most rings have no field for agents, to be shorter. */
function sight(seen: NonNullable<Ring['seen']>): Pick<Ring, 'seen'> {
  return Object.keys(seen).length === 0 ? {} : { seen };
}

function again(tellAgain: boolean): Pick<Ring, 'tellAgain'> {
  return tellAgain ? { tellAgain } : {};
}

async function send(
  client: Pick<Client, 'workflow'>,
  key: string,
  { ring: payload, uid, yields }: Waiting,
): Promise<void> {
  const [namespace = '', name = ''] = key.split('/');
  const workflowId = cappWorkflowId(namespace, name);
  if (uid === null) {
    await client.workflow.getHandle(workflowId).signal(ring, payload).catch(ignoreEnded);
    return;
  }
  await client.workflow.signalWithStart(CAPP_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [initialState({ namespace, name, uid })],
    signal: ring,
    signalArgs: [payload],
    staticSummary: `Capp ${namespace}/${name}`,
    // A start behind which nobody waits: most workflows are started so when Temporal's data were lost.
    ...(yields ? { priority: { priorityKey: LAST_PRIORITY } } : {}),
    typedSearchAttributes: [
      { key: NAMESPACE, value: namespace },
      { key: SITE, value: NO_SITE },
      { key: PHASE, value: FIRST_PHASE },
    ],
  });
}

/** No workflow of that Capp runs, so there is nothing to ring. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
