// The token by which a cluster joins, where nobody makes it by `cappstan token`: made, read for the one line
// that a site gets, and taken back.
import { randomBytes } from 'node:crypto';
import { boundOf, endOfToken, freshToken, tokenKey } from '../../../crds/join/bootstrap-token.ts';
import { CLUSTER_INFO } from '../../../crds/join/cluster-info.ts';
import { tokenFor, tokenNotes } from '../../../crds/join/expected.ts';
import { joinLine } from '../../../crds/join/join-line.ts';
import { wayOf } from '../../../crds/join/way.ts';
import { CONFIG_MAP, SECRET, type ConfigMap, type Secret } from '../../../crds/kubernetes/core.ts';
import { JOIN_TOKEN } from '../../../crds/join/labels.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyOf } from '../../../kube/resource.ts';

export interface Minting {
  /** As it was read. */
  readonly managed: ManagedCluster;
  readonly ttlMs: number;
  readonly now: number;
  /** By which managedFields name who makes it. */
  readonly fieldManager: string;
  /** More annotations of the token's Secret. */
  readonly notes?: Readonly<Record<string, string>>;
}

/**
 * The last one goes, and opens nothing any more. The ManagedCluster names the new one before it is there:
 * what a try leaves behind that ends in between, the next one replaces. Whether the token may be written is
 * asked first: a change of the ManagedCluster rings, and a try that is refused after it would begin at once
 * again.
 */
export async function makeToken(
  kube: Kube,
  { managed, ttlMs, now, fieldManager, notes = {} }: Minting,
): Promise<void> {
  const { uid = '', resourceVersion } = managed.metadata;
  const text = freshToken(randomBytes);
  const endsAt = now + ttlMs;
  const secret = tokenFor(text, endsAt, managed, notes);
  await kube.create<Secret>(SECRET, secret, { fieldManager, dryRun: true });
  await dropToken(kube, managed);
  const annotations = tokenNotes(text.id, endsAt);
  await kube.patch(
    MANAGED_CLUSTER,
    keyOf(managed),
    { metadata: { uid, resourceVersion, annotations } },
    { fieldManager },
  );
  await kube.create<Secret>(SECRET, secret, { fieldManager });
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

/** The hub says where sites find it. Throws ApiError. */
export async function isWayKnown(kube: Kube): Promise<boolean> {
  return wayOf(await kube.get<ConfigMap>(CONFIG_MAP, CLUSTER_INFO)) !== null;
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
  return joinLine({ ...way, cluster, token: { id, secret }, endsAt: endOfToken(token) });
}
