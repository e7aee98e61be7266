// Keeps what was shipped with each revision as an object of its own, so that a rollout can go back to it.
import { LAST_UPDATED_BY } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';

/** How the revisions of a kind are kept. */
export interface Keeping {
  readonly owner: Resource;
  readonly revisions: Resource;
  /** So many of one owner. */
  readonly most: number;
  readonly labels: (owner: KubeObject) => Readonly<Record<string, string>>;
  /** Its name, and others that it may have from an earlier version. */
  readonly namesOf: (owner: string, revision: string) => readonly [string, ...string[]];
}

export interface KeptRevision {
  readonly revision: string;
  readonly spec: object;
  /** Revisions that stay, however old they are. */
  readonly needed: readonly (string | null)[];
}

/**
 * Creates the revision if there is none, and deletes the oldest that nothing needs. A repeat finds it. Throws
 * ApiError.
 */
export async function keep(
  kube: Kube,
  keeping: Keeping,
  owner: KubeObject,
  { revision, spec, needed }: KeptRevision,
): Promise<void> {
  const { namespace = '', name } = owner.metadata;
  const { revisions, most, namesOf } = keeping;
  const { items } = await kube.list<KubeObject>(revisions, {
    namespace,
    labelSelector: selectorOf(keeping, owner),
    metadataOnly: true,
  });
  const own = items.filter((one) => isOf(one, owner));
  const [wanted] = namesOf(name, revision);
  if (own.some(({ metadata }) => metadata.name === wanted)) return;
  await create(kube, keeping, owner, { name: wanted, spec });
  const stays = new Set(needed.flatMap((one) => (one === null ? [] : namesOf(name, one))));
  const old = own
    .toSorted((a, b) => (createdAt(a) < createdAt(b) ? -1 : 1))
    .slice(0, Math.max(0, own.length + 1 - most))
    .filter((one) => !stays.has(one.metadata.name));
  await Promise.all(old.map((one) => remove(kube, revisions, one)));
}

/** What an earlier owner of the name has left is collected with that at any moment, so it makes room. */
async function create(
  kube: Kube,
  { owner: kind, revisions, labels }: Keeping,
  owner: KubeObject,
  { name, spec }: { readonly name: string; readonly spec: object },
): Promise<void> {
  const { namespace = '', name: ownerName, uid = '', annotations = {} } = owner.metadata;
  const { apiVersion } = kind;
  const by = annotations[LAST_UPDATED_BY];
  const metadata = {
    name,
    namespace,
    labels: labels(owner),
    // Who wrote it; nobody is named whom the webhook has not seen.
    ...(by === undefined ? {} : { annotations: { [LAST_UPDATED_BY]: by } }),
    ownerReferences: [{ apiVersion, kind: kind.kind, name: ownerName, uid, controller: true }],
  };
  const wanted = { metadata, spec } as KubeObject;
  try {
    await kube.create<KubeObject>(revisions, wanted);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const found = await kube.getMetadata(revisions, { namespace, name });
    if (found !== null && isOf(found, owner)) return;
    if (found !== null) await remove(kube, revisions, found);
    await kube.create<KubeObject>(revisions, wanted);
  }
}

/** Null if it is no longer kept. Throws ApiError. */
export async function keptOf<T extends KubeObject>(
  kube: Pick<Kube, 'get'>,
  { revisions, namesOf }: Keeping,
  owner: KubeObject,
  revision: string,
): Promise<T | null> {
  const { namespace = '', name } = owner.metadata;
  for (const one of new Set(namesOf(name, revision))) {
    const found = await kube.get<T>(revisions, { namespace, name: one });
    if (found !== null && isOf(found, owner)) return found;
  }
  return null;
}

function selectorOf({ labels }: Keeping, owner: KubeObject): string {
  return Object.entries(labels(owner))
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** Not of an earlier object of the same name. */
function isOf({ metadata }: KubeObject, owner: KubeObject): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;
}

function createdAt({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? '';
}

async function remove(kube: Kube, revisions: Resource, { metadata }: KubeObject): Promise<void> {
  const { namespace = '', name, uid = '' } = metadata;
  await kube.remove(revisions, { namespace, name }, { uid });
}
