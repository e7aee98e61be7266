// Kubeconfigs with the token of a ServiceAccount, so that our processes have exactly the rights that RBAC
// gives them.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import type { Kube } from '../../../kube/client.ts';
import { pathOf, type KubeObject, type Resource } from '../../../kube/resource.ts';
import { writeKubeconfig } from './kubeconfig.ts';

const SERVICE_ACCOUNT: Resource = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};
const WITHIN_MS = 60_000;
const YEAR_S = 365 * 86_400;

export interface ServiceAccountAccess {
  readonly namespace: string;
  readonly name: string;
  readonly cluster: string;
  readonly server: string;
  readonly ca: string;
  /** Path of the kubeconfig. */
  readonly file: string;
}

/**
 * Writes the kubeconfig with a token for one year. Keeps a file for the same address whose token is of this
 * account (by uid) and valid for another month. Throws when the ServiceAccount does not exist after 30 s.
 */
export async function serviceAccountKubeconfig(kube: Kube, access: ServiceAccountAccess): Promise<string> {
  const { namespace, name, file } = access;
  const account = await awaitAccount(kube, access);
  if (await isGood(access, account.metadata.uid ?? '')) return file;
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: YEAR_S },
  };
  const answer = await kube.raw('POST', pathOf(SERVICE_ACCOUNT, { namespace, name }, 'token'), { body });
  const { token } = (answer as { status: { token: string } }).status;
  await writeKubeconfig(file, { ...access, credential: { token } });
  return file;
}

/** OCM may create the Deployment before the ServiceAccount. */
async function awaitAccount(
  kube: Kube,
  { namespace, name, cluster }: ServiceAccountAccess,
): Promise<KubeObject> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const account = await kube.get<KubeObject>(SERVICE_ACCOUNT, { namespace, name });
    if (account !== null) return account;
    if (Date.now() > deadline)
      throw new Error(`${cluster} has no ServiceAccount ${namespace}/${name} after ${WITHIN_MS / 1000} s.`);
    await sleep(50);
  }
}

/** The file leads to this server, with a token of this account that is good for another month. */
async function isGood({ file, server }: ServiceAccountAccess, uid: string): Promise<boolean> {
  type Kubeconfig = {
    clusters?: { cluster?: { server?: string } }[];
    users?: { user?: { token?: string } }[];
  };
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return false;
  const { clusters, users } = parse(text) as Kubeconfig;
  return clusters?.[0]?.cluster?.server === server && isTokenOf(users?.[0]?.user?.token ?? '', uid);
}

function isTokenOf(token: string, uid: string): boolean {
  type Claims = { exp?: number; 'kubernetes.io'?: { serviceaccount?: { uid?: string } } };
  const [, payload = ''] = token.split('.');
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims;
    const isOwn = claims['kubernetes.io']?.serviceaccount?.uid === uid;
    return isOwn && (claims.exp ?? 0) * 1000 > Date.now() + 30 * 86_400_000;
  } catch {
    return false;
  }
}
