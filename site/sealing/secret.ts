// Writes the Secret that a CappSecret opens into. The site operator may read no Secrets: what stands there it
// learns only of one that is ours.
import { isDeepStrictEqual } from 'node:util';
import { SECRET, type Secret } from '../../crds/kubernetes/core.ts';
import { HUB, MANAGED_BY, MANAGED_BY_HUB, SEEN_BY_INGRESS } from '../../crds/labels.ts';
import { CAPP_SECRET, type CappSecret } from '../../crds/sealing/capp-secret.ts';
import type { Content } from '../../crds/sealing/content.ts';
import type { Kube } from '../../kube/client.ts';
import { ApiError, isInvalid, isNotFound } from '../../kube/failure.ts';
import { containsAll, type OwnerReference } from '../../kube/resource.ts';

type Writer = Pick<Kube, 'create' | 'patch' | 'remove'>;

/** Somebody else's Secret has the name, or another hub holds it. */
export class SecretTaken extends Error {
  /** The id of the other hub; null: it is not Cappstan's. */
  readonly hub: string | null;

  constructor(hub: string | null) {
    super();
    this.hub = hub;
  }
}

/**
 * Makes the Secret what was sealed: type, values, labels and owner. Owners that it has besides stay: a work
 * that carries the same Secret as it is keeps it alive. Writes nothing if it is so already. Throws
 * SecretTaken, and ApiError; a Conflict says that somebody wrote it meanwhile.
 */
export async function writeSecret(kube: Writer, from: CappSecret, content: Content): Promise<void> {
  const live = await ourSecret(kube, from);
  if (live === null) return createSecret(kube, from, content);
  const wanted = secretOf(from, content);
  const isOther =
    live.type !== wanted.type ||
    (live.immutable === true && (content.immutable !== true || !isSameData(live, content)));
  if (isOther) return replaceSecret(kube, live, from, content);
  const owners = live.metadata.ownerReferences ?? [];
  const isOwned = owners.some(({ uid }) => uid === from.metadata.uid);
  const isAsWanted =
    isOwned &&
    isSameData(live, content) &&
    (live.immutable ?? false) === (content.immutable ?? false) &&
    containsAll(live.metadata.labels, wanted.metadata.labels);
  if (isAsWanted) return;
  const { uid, resourceVersion } = live.metadata;
  const gone = Object.keys(live.data ?? {}).filter((key) => !Object.hasOwn(content.data, key));
  await kube.patch(SECRET, keyOf(from), {
    metadata: {
      uid,
      resourceVersion,
      labels: wanted.metadata.labels,
      ownerReferences: isOwned ? owners : [...owners, ownerOf(from)],
    },
    ...(content.immutable === undefined ? {} : { immutable: content.immutable }),
    data: { ...content.data, ...Object.fromEntries(gone.map((key) => [key, null])) },
  });
}

/**
 * By a patch that only asks whether the Secret has our label, and changes nothing: so no right to read
 * Secrets is needed, and one without the label is not shown. Null if there is none.
 */
async function ourSecret(kube: Writer, from: CappSecret): Promise<Secret | null> {
  const ask = [{ op: 'test', path: `/metadata/labels/${pointer(MANAGED_BY)}`, value: MANAGED_BY_HUB }];
  try {
    const live = await kube.patch<Secret>(SECRET, keyOf(from), ask, { type: 'json' });
    const holder = otherHolder(live, from);
    if (holder !== null) throw new SecretTaken(holder);
    return live;
  } catch (error) {
    if (isNotFound(error)) return null;
    if (isInvalid(error)) throw new SecretTaken(null);
    throw error;
  }
}

/**
 * The hub of which a work carries the Secret as it is; null: no other. What a former hub has left nobody
 * holds, and the next hub takes it over.
 */
function otherHolder(
  { metadata: { labels = {}, ownerReferences = [] } }: Secret,
  from: CappSecret,
): string | null {
  const theirs = labels[HUB] ?? null;
  const isHeld = ownerReferences.some(({ kind }) => kind !== CAPP_SECRET.kind);
  return isHeld && theirs !== from.metadata.labels?.[HUB] ? theirs : null;
}

async function createSecret(kube: Writer, from: CappSecret, content: Content): Promise<void> {
  await kube.create(SECRET, secretOf(from, content));
}

/** Neither its type nor what is immutable can be changed. */
async function replaceSecret(
  kube: Writer,
  { metadata: { uid, deletionTimestamp } }: Secret,
  from: CappSecret,
  content: Content,
): Promise<void> {
  if (deletionTimestamp === undefined) await kube.remove(SECRET, keyOf(from), { uid: uid ?? '' });
  await createSecret(kube, from, content);
}

function secretOf(from: CappSecret, { type, immutable, data }: Content): Secret {
  const { [HUB]: hub, [SEEN_BY_INGRESS]: served } = from.metadata.labels ?? {};
  const labels = {
    [MANAGED_BY]: MANAGED_BY_HUB,
    ...(hub === undefined ? {} : { [HUB]: hub }),
    ...(served === undefined ? {} : { [SEEN_BY_INGRESS]: '' }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...keyOf(from), labels, ownerReferences: [ownerOf(from)] },
    type: type ?? 'Opaque',
    ...(immutable === undefined ? {} : { immutable }),
    data,
  };
}

function ownerOf({ metadata: { name, uid = '' } }: CappSecret): OwnerReference {
  return { apiVersion: CAPP_SECRET.apiVersion, kind: CAPP_SECRET.kind, name, uid };
}

function keyOf({ metadata: { namespace = '', name } }: CappSecret): { namespace: string; name: string } {
  return { namespace, name };
}

function isSameData({ data = {} }: Secret, content: Content): boolean {
  return isDeepStrictEqual(data, { ...content.data });
}

function pointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Whether the site's API server does not let it be written, whatever is tried. */
export function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 403, 422].includes(error.code);
}
