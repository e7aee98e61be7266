// What has to be gone of a cluster that leaves a hub, on the hub and on the cluster.
import { AGENT_ACCOUNT } from '../../../../crds/hub/agent-identity.ts';
import { NAMESPACE, SERVICE_ACCOUNT } from '../../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../../kube/client.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { everythingOn } from '../api/everything.ts';

const LONG = { withinMs: 240_000 };

/**
 * Kubernetes deletes requests an hour after they were answered. The hub's status comes a moment after it. The
 * name is kept for as long as the certificate of the agent was good.
 */
const NO_TRACE = ['CertificateSigningRequest ', 'HubStatus ', 'ConfigMap cappstan-clusters/'];

/** Waits for what goes after its ManagedCluster, and deletes what is to be deleted by hand. */
export async function clusterIsGone(onHub: Kube, name: string): Promise<void> {
  // The account of its agent goes with it. OCM leaves its namespace, which may have what is somebody's.
  const account = { namespace: name, name: AGENT_ACCOUNT };
  const hasAccount = async (): Promise<boolean> => (await onHub.get(SERVICE_ACCOUNT, account)) !== null;
  await eventually(async () => ((await hasAccount()) ? undefined : true), LONG);
  await onHub.remove(NAMESPACE, { namespace: null, name });
}

/** Waits until both have what they had `before`. */
export async function leavesNothing(
  { site, onHub }: { readonly site: Kube; readonly onHub: Kube },
  before: { readonly hub: readonly string[]; readonly site: readonly string[] },
): Promise<void> {
  const leftOf = async (kube: Kube, known: readonly string[]): Promise<readonly string[]> =>
    (await everythingOn(kube)).filter(
      (one) => !known.includes(one) && !NO_TRACE.some((kind) => one.startsWith(kind)),
    );
  await eventually(async () => {
    const left = [...(await leftOf(site, before.site)), ...(await leftOf(onHub, before.hub))];
    if (left.length > 0) throw new Error(left.join('\n'));
    return true;
  }, LONG);
}
