// Whose the Temporal namespace is. Workflows are called after objects, and two hubs have objects of the same
// name: in one namespace their workers would take each other's tasks, each for its own API server.
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { z } from 'zod';
import { CLAIM_WORKFLOW, CLAIM_WORKFLOW_ID, HUB_QUEUE } from '../../workflows/names.ts';
import type { Logger } from './log.ts';
import { PROCESS_TIMES } from './times.ts';

/** What a process understands of its hub's identity. */
export const HUB_IDENTITY = {
  HUB_ID: z
    .string()
    .min(1)
    .optional()
    .describe('the identity of this hub for its sites and for Temporal; without it, the uid of kube-system'),
  CLAIM_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3600)
    .default(PROCESS_TIMES.claim.ms / 1000)
    .describe('how often this process looks whether its hub still has the Temporal namespace: 1 to 3600'),
} as const;

/** The namespace is another hub's. The message has both ids, and what helps. */
export class NamespaceTaken extends Error {}

/** `address` is only named. */
export interface Claim {
  readonly hub: string;
  readonly address: string;
}

type Asked = Pick<Client, 'workflow' | 'options' | 'withDeadline'>;

/** A claim that is looked at again and again. */
export interface HeldClaim {
  /** Rejects with NamespaceTaken once another hub has the namespace. It never resolves. */
  readonly lost: Promise<never>;
  stop(): void;
}

interface Holding {
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds between two looks. */
  readonly everyMs?: number;
}

/**
 * Claims the namespace of the client for a hub, if no hub has it; writes nothing if this hub has it already.
 * Of two hubs that claim it at once, one gets it. Throws NamespaceTaken, and what the Temporal client throws.
 */
export async function claimNamespace(client: Asked, { hub, address }: Claim): Promise<void> {
  const holder = await otherHolder(client, hub);
  if (holder === null) return;
  const { namespace } = client.options;
  throw new NamespaceTaken(
    `The Temporal namespace ${namespace} of ${address} belongs to ${named(holder)}, and this is hub ${hub}. ` +
      `Two hubs in one namespace would take each other's tasks, so this one ends. Give the one that came here last a namespace of its own: temporal.namespace in its chart's values. ` +
      `Only if ${holder === '' ? 'nobody needs that workflow' : `hub ${holder} has another one, or hub ${holder} is no more`}: ${freeing(namespace)}`,
  );
}

/** To a hub that had the namespace: what runs there is its own, and an empty one would not help it. */
function lostTo(holder: string, namespace: string, { hub, address }: Claim): NamespaceTaken {
  const leaving =
    holder === ''
      ? 'If nobody needs that workflow'
      : `Stop hub ${holder}, and give it a namespace of its own: temporal.namespace in the values of its chart. Then`;
  return new NamespaceTaken(
    `The Temporal namespace ${namespace} of ${address} was of this hub, ${hub}, and belongs to ${named(holder)} now. ` +
      `Two hubs in one namespace would take each other's tasks, so this one ends. ${leaving}: ${freeing(namespace)}`,
  );
}

/** By the settings of a process: without its hub's id, which the chart gives it, it claims nothing. */
export function claimOf({
  HUB_ID: hub,
  TEMPORAL_ADDRESS: address,
}: {
  readonly HUB_ID?: string | undefined;
  readonly TEMPORAL_ADDRESS: string;
}): { readonly hub: string | undefined; readonly address: string } {
  return { hub, address };
}

/**
 * As `claimNamespace`, and the same again as long as the process lives: a Temporal that has lost its data, or
 * whose claim a person has ended, is this hub's again before another one asks for it. Without a hub nothing
 * is claimed.
 */
export async function holdNamespace(
  client: Asked,
  { hub, address }: { readonly hub: string | undefined; readonly address: string },
  { log, everyMs = PROCESS_TIMES.claim.ms }: Holding,
): Promise<HeldClaim> {
  if (hub === undefined || hub === '') return { lost: new Promise(() => undefined), stop: () => undefined };
  await claimNamespace(client, { hub, address });
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  const lost = new Promise<never>((_resolve, reject) => {
    const look = async (): Promise<void> => {
      const holder = await otherHolder(client, hub);
      if (holder !== null) reject(lostTo(holder, client.options.namespace, { hub, address }));
    };
    timer = setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      look()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'whose the Temporal namespace is could not be read, will be retried'),
        )
        .finally(() => (isLooking = false));
    }, everyMs).unref();
  });
  // Who does not wait for it yet hears of it all the same.
  lost.catch(() => undefined);
  return { lost, stop: () => clearInterval(timer) };
}

/**
 * Waits for what ends a process, and looks no more after that. Throws NamespaceTaken once another hub has the
 * namespace.
 */
export async function endedOrLost(ended: Promise<unknown>, claim: HeldClaim): Promise<void> {
  try {
    await Promise.race([ended, claim.lost]);
  } finally {
    claim.stop();
  }
}

/**
 * For who takes tasks and claims nothing: an agent that speaks to Temporal itself. Throws NamespaceTaken if
 * another hub has the namespace. Who may not ask, or gets no answer, goes on.
 */
export async function refuseForeign(
  client: Asked,
  { hub, address }: Claim,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (hub === '') return;
  const holder = await within(client, () => holderOf(client)).catch((error: unknown) => {
    log.warn({ err: error }, 'whose the Temporal namespace is could not be read');
    return null;
  });
  if (holder === null || holder === hub) return;
  throw new NamespaceTaken(
    `The Temporal namespace ${client.options.namespace} of ${address} belongs to ${named(holder)}, and this agent is of hub ${hub}. ` +
      `It would answer for Capps of that hub, so it does not start. Give its own hub a namespace of its own: temporal.namespace in the chart's values there.`,
  );
}

/** The other hub that has the namespace; null once this one has it. Claims it, if no hub has it. */
async function otherHolder(client: Asked, hub: string): Promise<string | null> {
  const holder = await within(
    client,
    async () => (await holderOf(client)) ?? (await take(client, hub)) ?? (await holderOf(client)),
  );
  return holder === hub ? null : holder;
}

/** A Temporal that takes calls and answers none would hold each look for ever. */
function within<T>(client: Asked, look: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + PROCESS_TIMES.claimLook.ms, look);
}

/**
 * The id of the hub that has the namespace; null if none has it, and '' if a workflow of that id is no hub's.
 */
async function holderOf({ workflow }: Pick<Client, 'workflow'>): Promise<string | null> {
  try {
    const { status, memo } = await workflow.getHandle(CLAIM_WORKFLOW_ID).describe();
    if (status.name !== 'RUNNING') return null;
    const said = memo?.['hub'];
    return typeof said === 'string' ? said : '';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** The hub that has it then; null if another one was faster. */
async function take({ workflow }: Pick<Client, 'workflow'>, hub: string): Promise<string | null> {
  try {
    await workflow.start(CLAIM_WORKFLOW, {
      workflowId: CLAIM_WORKFLOW_ID,
      taskQueue: HUB_QUEUE,
      args: [],
      memo: { hub },
      staticSummary: `Hub ${hub}`,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    });
    return hub;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

function named(holder: string): string {
  return holder === '' ? 'a workflow hub that names no hub' : `the Cappstan hub ${holder}`;
}

const freeing = (namespace: string): string =>
  `temporal workflow terminate --namespace ${namespace} --workflow-id ${CLAIM_WORKFLOW_ID}`;
