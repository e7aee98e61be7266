// The activities for SIPClusters.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Kube } from '../../../kube/client.ts';
import type { Metal, SipRef } from '../../../workflows/metal/port.ts';
import { askForHosts, ring } from '../../../workflows/messages.ts';
import { HOSTS_WORKFLOW, HOSTS_WORKFLOW_ID, HUB_QUEUE, keptWorkflowId } from '../../../workflows/names.ts';
import { rungFor } from '../../../workflows/types/ring.ts';
import { acting } from '../../trying.ts';
import { inTime } from '../drain/answer.ts';
import { reserveFor } from './reserve.ts';
import { turn } from './turn.ts';

export interface MetalOptions {
  readonly kube: Kube;
  readonly client: Client;
  /** The hub's id, by which it knows its own claims on a site from those of other hubs. */
  readonly hubId?: string;
  /** Namespaces in which the hub worker may make load balancers and jump hosts; without them, in none. */
  readonly serviceNamespaces?: readonly string[];
  /** Namespaces whose SIPClusters may have sites, and beside whose hosts user data is written; or in none. */
  readonly provisionNamespaces?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export function hubMetal({
  kube: given,
  client,
  hubId: hub = '',
  serviceNamespaces = [],
  provisionNamespaces = [],
  now = Date.now,
}: MetalOptions): Metal {
  const namespaces = { serves: new Set(serviceNamespaces), provisions: new Set(provisionNamespaces) };
  return {
    turnSipCluster: (ref) => acting(given, (kube) => turn(kube, ref, now, { ...namespaces, hub })),
    reserveHosts: (ref) =>
      acting(given, async (kube) => {
        const reserving = await reserveFor(kube, ref, now, namespaces);
        // Who was not served for another reason asks again in a minute, and hears of hosts that change
        // before.
        const isOver = reserving.outcome !== 'Contended' && reserving.outcome !== 'Refused';
        if (isOver) await inTime(client, () => tellOfTurn(client, ref));
        return reserving;
      }),
    askForHosts: (ref) => inTime(client, () => ask(client, ref)),
  };
}

async function ask(client: Client, ref: SipRef): Promise<void> {
  await client.workflow.signalWithStart(HOSTS_WORKFLOW, {
    workflowId: HOSTS_WORKFLOW_ID,
    taskQueue: HUB_QUEUE,
    args: [],
    signal: askForHosts,
    signalArgs: [ref],
    staticSummary: 'Hosts for SIPClusters',
  });
}

/** One that has ended needs no ring. */
async function tellOfTurn(client: Client, ref: SipRef): Promise<void> {
  try {
    const handle = client.workflow.getHandle(keptWorkflowId({ kind: 'SIPCluster', ...ref }));
    await handle.signal(ring, rungFor('resync'));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
