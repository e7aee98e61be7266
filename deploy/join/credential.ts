// The credential for the hub that OCM's agent of a site has got: whether the hub still lets it in, and what
// becomes of it when it does not. The agent keeps it in a Secret of the site, and copies that into its
// folder.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRET, type Secret } from '../../crds/kubernetes/core.ts';
import type { ManagedCluster } from '../../crds/ocm/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import { withClustersOf } from '../local/kubernetes/kubeconfig.ts';
import { OCM_AGENT_ACCOUNT } from '../local/ocm/site.ts';
import { answerOf, type KnownHub, type HubCredential } from './hub.ts';

/** The name is OCM's. */
const HUB_CREDENTIAL = { namespace: OCM_AGENT_ACCOUNT.namespace, name: 'hub-kubeconfig-secret' } as const;
/** Of an answer to who is not known, or to who may not. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404]);

/** Null: it has none yet. `dir` is the agent's folder. */
export async function ownCredential(site: Kube, dir: string): Promise<HubCredential | null> {
  const data = (await site.get<Secret>(SECRET, HUB_CREDENTIAL))?.data ?? {};
  const of = async (name: string): Promise<string | null> =>
    data[name] === undefined
      ? readFile(join(dir, name), 'utf8').catch(() => null)
      : Buffer.from(data[name], 'base64').toString();
  const [cert, key] = [await of('tls.crt'), await of('tls.key')];
  return cert === null || key === null ? null : { cert, key };
}

export function pathOfCluster(cluster: string): string {
  return `/apis/cluster.open-cluster-management.io/v1/managedclusters/${cluster}`;
}

/**
 * Whether the hub lets the agent in by its own credential. A hub that cannot say so now, as one that is about
 * to stop, has refused nobody. Throws JoinRefused when it does not answer at all.
 */
export async function isLetIn(hub: KnownHub, cluster: string, own: HubCredential): Promise<boolean> {
  const { code, body } = await answerOf(hub, own, pathOfCluster(cluster));
  if (code !== 200) return !REFUSALS.has(code);
  return (JSON.parse(body) as ManagedCluster).spec?.hubAcceptsClient === true;
}

/**
 * The agent, which must not run, asks for another one when it starts. Safe to repeat: the Secret goes first,
 * from which it would take the old one again.
 */
export async function forgetCredential(site: Kube, dir: string): Promise<void> {
  await site.remove(SECRET, HUB_CREDENTIAL);
  await rm(dir, { recursive: true, force: true });
}

/**
 * Has the credential lead to the hub by the way of the kubeconfig `bootstrap`, after `stopped`. OCM's agent
 * would otherwise throw it away when the proxy or the authority is another, and come with a token that is
 * spent; now it has it renewed. Safe to repeat.
 */
export async function leadByWayOf(
  site: Kube,
  bootstrap: string,
  stopped: () => Promise<unknown>,
): Promise<void> {
  const { kubeconfig } = (await site.get<Secret>(SECRET, HUB_CREDENTIAL))?.data ?? {};
  if (kubeconfig === undefined) return;
  const text = Buffer.from(kubeconfig, 'base64').toString();
  const after = withClustersOf(text, await readFile(bootstrap, 'utf8'));
  if (after === null) return;
  await stopped();
  await site.patch(SECRET, HUB_CREDENTIAL, { data: { kubeconfig: Buffer.from(after).toString('base64') } });
}
