// Ensures the objects of one kind that a Capp asks for by name, and removes those that it no longer names.
import type { Capp } from '../../crds/capp/capp.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { ensure } from './ensure.ts';
import { asFault, SiteFault } from './fault.ts';
import type { Optional } from '../../kube/watch/optional.ts';
import { BY_CAPP } from './by-capp.ts';

export interface NamedObjects<T extends KubeObject> {
  readonly capp: Capp;
  readonly resource: Resource;
  /** Filed by Capp. */
  readonly known: Optional<T>;
  readonly objects: readonly T[];
  /** What to tell the Capp's user where the site does not serve the kind. */
  readonly absent: string;
}

/**
 * Tries all of them before it throws the first SiteFault, or what the client throws. A repeat writes nothing.
 */
export async function ensureAll<T extends KubeObject>(
  kube: Kube,
  { capp, resource, known, objects, absent }: NamedObjects<T>,
): Promise<void> {
  const { namespace = '', name } = capp.metadata;
  if (!known.served()) {
    if (objects.length === 0) return;
    throw new SiteFault('NotServed', absent);
  }
  const results = await Promise.allSettled(
    objects.map((object) =>
      ensure(kube, { capp, resource, object, live: known.get({ namespace, name: object.metadata.name }) }),
    ),
  );
  const names = new Set(objects.map((object) => object.metadata.name));
  const extra = known
    .by(BY_CAPP, `${namespace}/${name}`)
    .filter((object) => isOurs(object, capp) && !names.has(object.metadata.name));
  await Promise.all(extra.map((object) => removeObject(kube, resource, object)));
  const refused = results.find((result) => result.status === 'rejected');
  if (refused !== undefined) throw asFault(refused.reason, `the ${resource.kind}`);
}

/**
 * Owned by this uid: the label of an earlier Capp of the same name is not enough to delete a volume or a
 * domain.
 */
function isOurs({ metadata }: KubeObject, capp: Capp): boolean {
  return metadata.ownerReferences?.some((owner) => owner.uid === capp.metadata.uid) === true;
}

async function removeObject(kube: Kube, resource: Resource, { metadata }: KubeObject): Promise<void> {
  const { namespace = null, name, uid, deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined) return;
  await kube.remove(resource, { namespace, name }, uid === undefined ? {} : { uid });
}
