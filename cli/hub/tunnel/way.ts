// The way to a site by an account of a person's own: what cluster-proxy and managed-serviceaccount have put
// on the hub, read with the rights of who asks.
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import {
  accountIn,
  MANAGED_SERVICE_ACCOUNT,
  OF_MANAGED_ACCOUNT,
} from '../../../crds/ocm/managed-service-account.ts';
import { MANAGED_CLUSTER_ADD_ON } from '../../../crds/ocm/ocm.ts';
import { ApiError, isForbidden, isNotFound } from '../../../kube/failure.ts';
import { READER_ACCOUNT } from '../../../reach/names.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import * as said from './sentences.ts';

/** What is shown to a site, and whose it is there. */
export interface SiteToken {
  readonly account: string;
  readonly token: string;
  /** Of the ServiceAccount on the site. */
  readonly namespace: string;
  /** RFC 3339, as the token says; null if it does not. */
  readonly goodUntil: string | null;
}

const TUNNEL = 'cluster-proxy';
const AUTHORITY = 'proxy-server-ca';

/**
 * The token that managed-serviceaccount keeps for the account; `account` null takes the only one that the
 * site has for people. With a name, it takes no right but to get the Secret of that name. Throws
 * CommandFailure where there is no way, and what the hub does not answer.
 */
export async function tokenFor(hub: ConnectedHub, site: string, account: string | null): Promise<SiteToken> {
  if (account === READER_ACCOUNT) throw said.ofReader(account);
  await requireTunnel(hub, site);
  try {
    const name = account ?? (await onlyAccount(hub, site));
    const token = tokenIn(await hub.kube.get<Secret>(SECRET, { namespace: site, name }));
    const owner = accountIn(token);
    if (owner === null) throw await whyNoToken(hub, site, name);
    // Whatever the Secret is called: a token says itself whose it is.
    if (owner.name === READER_ACCOUNT) throw said.ofReader(READER_ACCOUNT);
    return { account: owner.name, namespace: owner.namespace, goodUntil: owner.goodUntil, token };
  } catch (error) {
    if (!(error instanceof ApiError) || !isForbidden(error)) throw error;
    throw said.mayNotRead(site, account, hub.as === null ? `You (context ${hub.context})` : hub.as);
  }
}

/** Who may not read add-ons is not told, and may have a way all the same. */
async function requireTunnel({ kube }: ConnectedHub, site: string): Promise<void> {
  const key = { namespace: site, name: TUNNEL };
  const found = await kube.getMetadata(MANAGED_CLUSTER_ADD_ON, key).catch((error: unknown) => {
    if (!isForbidden(error)) throw error;
    return undefined;
  });
  if (found === null) throw said.noTunnel(site);
}

async function onlyAccount({ kube }: ConnectedHub, site: string): Promise<string> {
  try {
    const { items } = await kube.list(MANAGED_SERVICE_ACCOUNT, { namespace: site, metadataOnly: true });
    const names = items.map(({ metadata }) => metadata.name).filter((name) => name !== READER_ACCOUNT);
    const [first, ...more] = names.toSorted();
    if (first === undefined) throw said.noAccount(site, null);
    if (more.length > 0) throw said.whichAccount(site, [first, ...more]);
    return first;
  } catch (error) {
    throw isNotFound(error) ? said.noAccounts(site) : error;
  }
}

async function whyNoToken({ kube }: ConnectedHub, site: string, account: string): Promise<Error> {
  const key = { namespace: site, name: account };
  const found = await kube.getMetadata(MANAGED_SERVICE_ACCOUNT, key).catch((error: unknown) => {
    if (!isForbidden(error)) throw error;
    return undefined;
  });
  return found === null ? said.noAccount(site, account) : said.noToken(site, account);
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
