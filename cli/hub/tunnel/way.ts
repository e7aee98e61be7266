// The way to a site by an account of a person's own: what cluster-proxy and managed-serviceaccount have put
// on the hub, read with the rights of who asks.
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import {
  MANAGED_SERVICE_ACCOUNT,
  OF_MANAGED_ACCOUNT,
  type ManagedServiceAccount,
} from '../../../crds/ocm/managed-service-account.ts';
import { MANAGED_CLUSTER_ADD_ON } from '../../../crds/ocm/ocm.ts';
import { ApiError, isForbidden, isNotFound } from '../../../kube/failure.ts';
import { READER_ACCOUNT } from '../../../reach/names.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { accountIn } from './kubeconfig.ts';
import * as said from './sentences.ts';

/** What is shown to a site, and whose it is there. */
export interface SiteToken {
  readonly account: string;
  readonly token: string;
  /** Of the ServiceAccount on the site. */
  readonly namespace: string;
  /** RFC 3339; null where managed-serviceaccount does not say. */
  readonly goodUntil: string | null;
}

const TUNNEL = 'cluster-proxy';
const AUTHORITY = 'proxy-server-ca';

/**
 * The token that managed-serviceaccount keeps for the account; `account` null takes the only one that the
 * site has for people. Throws CommandFailure where there is no way, and what the hub does not answer.
 */
export async function tokenFor(hub: ConnectedHub, site: string, account: string | null): Promise<SiteToken> {
  if (account === READER_ACCOUNT) throw said.ofReader(account);
  const found = await hub.kube.getMetadata(MANAGED_CLUSTER_ADD_ON, { namespace: site, name: TUNNEL });
  if (found === null) throw said.noTunnel(site);
  try {
    const { metadata, status } = await accountOf(hub, site, account);
    const key = { namespace: site, name: metadata.name };
    const token = tokenIn(await hub.kube.get<Secret>(SECRET, key));
    const owner = accountIn(token);
    // Whatever the Secret is called: a token says itself whose it is.
    if (owner?.name === READER_ACCOUNT) throw said.ofReader(READER_ACCOUNT);
    if (owner === null) throw said.noToken(site, metadata.name);
    const { name, namespace } = owner;
    return { account: name, namespace, token, goodUntil: status?.expirationTimestamp ?? null };
  } catch (error) {
    if (!(error instanceof ApiError) || !isForbidden(error)) throw error;
    const who = hub.as === null ? `You (context ${hub.context})` : hub.as;
    throw said.mayNotRead(error, site, account ?? 'people', who);
  }
}

async function accountOf(
  { kube }: ConnectedHub,
  site: string,
  account: string | null,
): Promise<ManagedServiceAccount> {
  if (account !== null) {
    const key = { namespace: site, name: account };
    const found = await kube.get<ManagedServiceAccount>(MANAGED_SERVICE_ACCOUNT, key);
    if (found === null) throw said.noAccount(site, account);
    return found;
  }
  try {
    const { items } = await kube.list<ManagedServiceAccount>(MANAGED_SERVICE_ACCOUNT, { namespace: site });
    const own = items.filter(({ metadata }) => metadata.name !== READER_ACCOUNT);
    const [first, ...more] = own;
    if (first === undefined) throw said.noAccount(site, null);
    if (more.length > 0) throw said.whichAccount(site, own.map(({ metadata }) => metadata.name).toSorted());
    return first;
  } catch (error) {
    throw isNotFound(error) ? said.noAccounts(site) : error;
  }
}

/** Empty where the Secret is another's: only what managed-serviceaccount has made is handed on. */
function tokenIn(secret: Secret | null): string {
  if (secret?.metadata.labels?.[OF_MANAGED_ACCOUNT] !== 'true') return '';
  return textIn(secret, 'token').trim();
}

/** PEM, of cluster-proxy's own namespace. Throws CommandFailure, and what the hub does not answer. */
export async function proxyAuthority({ kube }: ConnectedHub, namespace: string): Promise<string> {
  try {
    const authority = textIn(await kube.get<Secret>(SECRET, { namespace, name: AUTHORITY }), 'ca.crt');
    if (authority !== '') return authority;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw said.noAuthority(namespace, true);
  }
  throw said.noAuthority(namespace, false);
}

function textIn(secret: Secret | null, key: string): string {
  return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');
}
