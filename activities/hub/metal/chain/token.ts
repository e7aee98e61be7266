// The token by which a site joins: made, read for the one line in a host's user data, and taken back.
import { randomBytes } from 'node:crypto';
import { boundOf, freshToken, tokenKey, tokenSecret } from '../../../../crds/join/bootstrap-token.ts';
import { CLUSTER_INFO } from '../../../../crds/join/cluster-info.ts';
import { joinLine } from '../../../../crds/join/join-line.ts';
import { wayOf } from '../../../../crds/join/way.ts';
import { CONFIG_MAP, SECRET, type ConfigMap, type Secret } from '../../../../crds/kubernetes/core.ts';
import { JOIN_TOKEN, TOKEN_ENDS_AT } from '../../../../crds/labels.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyOf } from '../../../../kube/resource.ts';

/** By which managedFields name the chain. */
export const MADE_BY = { fieldManager: 'cappstan-sip' } as const;

export interface Minting {
  /** As it was read. */
  readonly managed: ManagedCluster;
  readonly ttlMs: number;
  readonly now: number;
}

/**
 * The last one goes, and opens nothing any more. The ManagedCluster names the new one before it is there:
 * what a try leaves behind that ends in between, the next one replaces.
 */
export async function makeToken(kube: Kube, { managed, ttlMs, now }: Minting): Promise<void> {
  await dropToken(kube, managed);
  const { name, uid = '', resourceVersion } = managed.metadata;
  const text = freshToken(randomBytes);
  const endsAt = now + ttlMs;
  const annotations = { [JOIN_TOKEN]: text.id, [TOKEN_ENDS_AT]: new Date(endsAt).toISOString() };
  await kube.patch(
    MANAGED_CLUSTER,
    keyOf(managed),
    { metadata: { uid, resourceVersion, annotations } },
    MADE_BY,
  );
  const { apiVersion, kind } = MANAGED_CLUSTER;
  const secret = tokenSecret(text, endsAt, { cluster: name, uid });
  const ownerReferences = [{ apiVersion, kind, name, uid }];
  await kube.create<Secret>(
    SECRET,
    { ...secret, metadata: { ...secret.metadata, ownerReferences } },
    MADE_BY,
  );
}

/** Only one that is for this very ManagedCluster. */
export async function dropToken(kube: Kube, { metadata }: ManagedCluster): Promise<void> {
  const id = metadata.annotations?.[JOIN_TOKEN] ?? '';
  const key = tokenKey(id);
  const known = id === '' ? null : await kube.getMetadata(SECRET, key);
  if (known === null || boundOf(known)?.uid !== metadata.uid) return;
  const { uid = '', resourceVersion = '' } = known.metadata;
  await kube.remove(SECRET, key, { uid, resourceVersion });
}

/**
 * The line is a secret. Null: the token is gone, or not as it was made. Undefined: the hub does not say where
 * it is.
 */
export async function joinLineOf(
  kube: Kube,
  cluster: string,
  id: string,
): Promise<string | null | undefined> {
  const way = wayOf(await kube.get<ConfigMap>(CONFIG_MAP, CLUSTER_INFO));
  if (way === null) return undefined;
  const token = await kube.get<Secret>(SECRET, tokenKey(id));
  const secret = Buffer.from(token?.data?.['token-secret'] ?? '', 'base64').toString('utf8');
  if (token === null || boundOf(token)?.cluster !== cluster || secret === '') return null;
  return joinLine({ ...way, cluster, token: { id, secret } });
}
