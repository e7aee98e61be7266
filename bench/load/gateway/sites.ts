// Managed clusters without servers, with what their agents get in with at the stack's gateway.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENT_ACCOUNT, GATEWAY_AUDIENCE } from '../../../crds/hub/agent-identity.ts';
import { NAMESPACE, SERVICE_ACCOUNT } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { desiredProcesses } from '../../../deploy/local/supervise/desired.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { gatewayOf } from '../../../testbed/temporal-way.ts';
import type { Testbed } from '../testbed.ts';

export interface GatewayAddress {
  /** host:port of the gateway. */
  readonly address: string;
  /** The file with what signed its certificate (PEM). */
  readonly authority: string;
}

/** The gateway to which the agents of the stack speak. */
export async function doorOf({ stack: { layout, sites } }: Testbed): Promise<GatewayAddress> {
  const [site = ''] = sites;
  const address = gatewayOf(await desiredProcesses(layout), site);
  return { address, authority: join(layout.identityOf(site), 'ca.crt') };
}

/** Has the hub accept this cluster. Returns the file of a token of its agent. */
export async function admit({ hub, afterwards }: Testbed, cluster: string): Promise<string> {
  const { apiVersion, kind } = MANAGED_CLUSTER;
  const spec = { hubAcceptsClient: true };
  const managed = { apiVersion, kind, metadata: { name: cluster }, spec } as KubeObject;
  const made = await hub.create(MANAGED_CLUSTER, managed);
  afterwards(() => hub.remove(MANAGED_CLUSTER, { namespace: null, name: cluster }));
  await eventually(async () => (await hub.get(NAMESPACE, { namespace: null, name: cluster })) ?? undefined);
  // As the hub worker makes it, which replaces any other.
  const owner = { apiVersion, kind, name: cluster, uid: made.metadata.uid ?? '' };
  const metadata = { namespace: cluster, name: AGENT_ACCOUNT, ownerReferences: [owner] };
  await hub.create(SERVICE_ACCOUNT, { metadata }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  const path = `/api/v1/namespaces/${cluster}/serviceaccounts/${AGENT_ACCOUNT}/token`;
  const body = { spec: { audiences: [GATEWAY_AUDIENCE], expirationSeconds: 3_600 } };
  const { status } = (await hub.raw('POST', path, { body })) as { status: { token: string } };
  const folder = mkdtempSync(join(tmpdir(), 'cappstan-bench-'));
  afterwards(() => Promise.resolve(rmSync(folder, { recursive: true })));
  const file = join(folder, 'token');
  writeFileSync(file, status.token, { mode: 0o600 });
  return file;
}
