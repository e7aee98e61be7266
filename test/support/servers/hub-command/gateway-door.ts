// The gateway of a hub that runs by `cappstan hub`, as the agent of a site comes to it from outside.
import { Connection } from '@temporalio/client';
import {
  AGENT_ACCOUNT,
  GATEWAY_AUDIENCE,
  GATEWAY_CERTIFICATE,
  IDENTITY_WORK,
} from '../../../../crds/hub/agent-identity.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { isAlreadyExists } from '../../../../kube/failure.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { codeOf } from '../../testbeds/door/gateway-calls.ts';
import type { HubStarted } from './started-hub.ts';

/** With what an agent comes: its token, and the authority (PEM) that it trusts. */
export interface AgentAtDoor {
  readonly token: string;
  readonly authority: string;
}

/**
 * Has the hub accept the cluster, if it does not know it, and asks for a token as the hub worker does, once
 * that has brought its own: the tokens of an account that it has not made count for nothing from then on.
 */
export async function agentOf({ kube }: HubStarted, cluster: string): Promise<AgentAtDoor> {
  const metadata = { name: cluster };
  await kube
    .create(MANAGED_CLUSTER, { metadata, spec: { hubAcceptsClient: true } } as never)
    .catch((error: unknown) => (isAlreadyExists(error) ? null : Promise.reject(error as Error)));
  const work = { namespace: cluster, name: IDENTITY_WORK };
  await eventually(async () => (await kube.get(MANIFEST_WORK, work)) ?? undefined, { everyMs: 250 });
  const path = `/api/v1/namespaces/${cluster}/serviceaccounts/${AGENT_ACCOUNT}/token`;
  const body = { spec: { audiences: [GATEWAY_AUDIENCE], expirationSeconds: 3_600 } };
  const { status } = (await kube.raw('POST', path, { body })) as { status: { token: string } };
  const key = { namespace: 'cappstan-system', name: GATEWAY_CERTIFICATE };
  const { data } = (await kube.get<Secret>(SECRET, key)) ?? {};
  return { token: status.token, authority: Buffer.from(data?.['ca.crt'] ?? '', 'base64').toString('utf8') };
}

/** Waits until the gateway's own watch shows that the cluster was accepted, and it lets the agent in. */
export async function letIn(hub: HubStarted, agent: AgentAtDoor): Promise<void> {
  await eventually(async () => {
    const said = await gatewaySays(hub, agent);
    if (said !== 'OK') throw new Error(`The gateway says ${said}.`);
    return true;
  });
}

/** The name of the gRPC code with which the gateway of this hub ends a call. */
export async function gatewaySays({ gateway }: HubStarted, agent: AgentAtDoor): Promise<string> {
  const connection = Connection.lazy({
    address: `127.0.0.1:${gateway}`,
    tls: { serverRootCACertificate: Buffer.from(agent.authority) },
    apiKey: agent.token,
    interceptors: [],
  });
  try {
    const soon = Date.now() + 20_000;
    return await codeOf(connection.withDeadline(soon, () => connection.workflowService.getSystemInfo({})));
  } finally {
    await connection.close();
  }
}
