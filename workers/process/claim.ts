// Whose the Temporal namespace is. Workflows are called after objects, and two hubs have objects of the same
// name: in one namespace their workers would take each other's tasks, each for its own API server.
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { z } from 'zod';
import { CLAIM_WORKFLOW, CLAIM_WORKFLOW_ID, HUB_QUEUE } from '../../workflows/names.ts';

/** What a process understands of its hub's identity. */
export const HUB_IDENTITY = {
  HUB_ID: z
    .string()
    .min(1)
    .optional()
    .describe('the identity of this hub for its sites and for Temporal; without it, the uid of kube-system'),
} as const;

/** The namespace is another hub's. The message has both ids, and what helps. */
export class NamespaceTaken extends Error {}

/** `address` is only named. */
export interface Claim {
  readonly hub: string;
  readonly address: string;
}

/**
 * Claims the namespace of the client for a hub, if no hub has it; writes nothing if this hub has it already.
 * Of two hubs that claim it at once, one gets it. Throws NamespaceTaken, and what the Temporal client throws.
 */
export async function claimNamespace(
  client: Pick<Client, 'workflow' | 'options'>,
  { hub, address }: Claim,
): Promise<void> {
  const holder = (await holderOf(client)) ?? (await take(client, hub)) ?? (await holderOf(client));
  if (holder === hub || holder === null) return;
  const { namespace } = client.options;
  throw new NamespaceTaken(
    `The Temporal namespace ${namespace} of ${address} belongs to ${holder === '' ? 'a workflow hub that names no hub' : `the Cappstan hub ${holder}`}, and this is hub ${hub}. ` +
      `Two hubs in one namespace would take each other's tasks, so this one does not start. Give it a namespace of its own: temporal.namespace in the chart's values. ` +
      `Only if ${holder === '' ? 'nobody needs that workflow' : `hub ${holder} is no more`}: temporal workflow terminate --namespace ${namespace} --workflow-id ${CLAIM_WORKFLOW_ID}`,
  );
}

/**
 * As `claimNamespace`, by the settings of a process. Without its hub's id, which the chart gives it, it
 * leaves this to the hub worker.
 */
export async function claimFor(
  { HUB_ID: hub, TEMPORAL_ADDRESS: address }: { HUB_ID?: string | undefined; TEMPORAL_ADDRESS: string },
  client: Pick<Client, 'workflow' | 'options'>,
): Promise<void> {
  if (hub !== undefined) await claimNamespace(client, { hub, address });
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
