// The kubeconfig of the site for OCM's agent: the token of its ServiceAccount, which does not end before the
// site leaves.
//
// The token is in a Secret of the site, and in a file of its own beside the kubeconfig: client-go reads that
// again each minute, so that an agent goes on with another token when somebody has deleted the Secret and
// `cappstan join` has run again.
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECRET, type Secret } from '../../crds/kubernetes/core.ts';
import type { Kube } from '../../kube/client.ts';
import { endpointOf } from '../../kube/http/credentials.ts';
import { applyObjects } from '../local/kubernetes/apply.ts';
import { writeKubeconfig } from '../local/kubernetes/kubeconfig.ts';
import type { Layout } from '../local/layout.ts';
import { OCM_AGENT_ACCOUNT } from '../local/ocm/site.ts';
import { writeText } from '../local/supervise/json-file.ts';
import { JoinRefused } from './refused.ts';

/** It goes with its namespace when the site leaves. */
export const AGENT_TOKEN = {
  namespace: OCM_AGENT_ACCOUNT.namespace,
  name: `${OCM_AGENT_ACCOUNT.name}-token`,
} as const;
const WITHIN_MS = 60_000;

interface SiteAddress {
  readonly server: string;
  readonly ca: string;
  /** In its certificate, if it is not the host of `server`. */
  readonly serverName?: string;
  /** On the way to it. */
  readonly proxyUrl?: string;
}

/** What the agent has to know of the site's API server. Throws JoinRefused. */
export async function siteAddress(kubeconfig: string): Promise<SiteAddress> {
  const endpoint = endpointOf({ kubeconfig });
  const { ca, servername } = (await endpoint.credentials()).tls;
  if (ca === undefined)
    throw new JoinRefused([
      `--kubeconfig: ${kubeconfig} names no authority (certificate-authority), or its context names a user that is not in it. Give one that has both: the agent must know the site’s API server.`,
    ]);
  return {
    server: `${endpoint.origin}${endpoint.root}`,
    ca: String(ca),
    ...(servername === undefined ? {} : { serverName: servername }),
    ...(endpoint.proxyUrl === null ? {} : { proxyUrl: endpoint.proxyUrl }),
  };
}

/**
 * Writes it, and returns its path. Throws JoinRefused, and an Error when the site makes no token. Safe to
 * repeat: the token stays the same as long as its Secret is there.
 */
export async function agentKubeconfig(
  site: Kube,
  { cluster, kubeconfig, layout }: { cluster: string; kubeconfig: string; layout: Layout },
): Promise<string> {
  const { ca, ...way } = await siteAddress(kubeconfig);
  const [authority, tokenFile, file] = ['site-ca.crt', 'site-token', 'site.kubeconfig'].map((name) =>
    layout.dataOf(name),
  ) as [string, string, string];
  await writeFile(authority, ca, { mode: 0o600 });
  writeText(tokenFile, await tokenOfAgent(site));
  await writeKubeconfig(file, { cluster, ...way, ca: authority, credential: { tokenFile } });
  // Of a site that has joined before the token had a Secret: that one ends.
  await rm(layout.dataOf('agent.kubeconfig'), { force: true });
  return file;
}

async function tokenOfAgent(site: Kube): Promise<string> {
  const { apiVersion, kind } = SECRET;
  const annotations = { 'kubernetes.io/service-account.name': OCM_AGENT_ACCOUNT.name };
  const secret = { apiVersion, kind, type: TYPE, metadata: { ...AGENT_TOKEN, annotations } };
  await applyObjects(site, [secret]);
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const token = (await site.get<Secret>(SECRET, AGENT_TOKEN))?.data?.['token'];
    if (token !== undefined) return Buffer.from(token, 'base64').toString();
    if (Date.now() > deadline)
      throw new Error(
        `The site has put no token into Secret ${AGENT_TOKEN.namespace}/${AGENT_TOKEN.name} for ${WITHIN_MS / 1000} s. Look whether its kube-controller-manager runs, with the controller serviceaccount-token-controller.`,
      );
    await sleep(200);
  }
}

const TYPE = 'kubernetes.io/service-account-token';
