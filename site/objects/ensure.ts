// Creates or updates one object, and writes nothing when it is already as wanted. Objects of others are never
// touched.
import { digestOf } from '../../crds/digest.ts';
import type { Capp } from '../../crds/capp/capp.ts';
import { APPLIED } from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { containsAll, type KubeObject, type Resource } from '../../kube/resource.ts';
import { isOwn } from './owned.ts';
import { SiteFault } from './fault.ts';

export const FIELD_MANAGER = 'cappstan-site';

interface Kept<T extends KubeObject> {
  readonly resource: Resource;
  /** What we want to own of it. */
  readonly object: T;
  /** The live object, as the cache has it. */
  readonly live: T | undefined;
  /** Capps of several namespaces may want the name at the same moment: only the first may create it. */
  readonly isContested?: boolean;
}

export interface WantedObject<T extends KubeObject> extends Kept<T> {
  readonly capp: Capp;
}

/**
 * Gives the object as it stands afterwards; null while a former one is still being deleted. Throws a
 * SiteFault if somebody else's object has the name, and what the client throws.
 */
export async function ensure<T extends KubeObject>(
  kube: Pick<Kube, 'create' | 'apply' | 'list'>,
  { capp, ...kept }: WantedObject<T>,
): Promise<T | null> {
  const { resource, object } = kept;
  const live = kept.live ?? (await liveNow<T>(kube, resource, object));
  if (live !== undefined && !isOwn(live.metadata, capp)) {
    throw new SiteFault(
      'NameTaken',
      `The site already has a ${resource.kind} named ${live.metadata.name} that does not belong to this Capp. Rename one of them.`,
    );
  }
  return ensureOwn(kube, { ...kept, live });
}

/**
 * An apply to a name that the cache does not know yet would take over what somebody has just made. By a list,
 * which the site operator may ask for anyway.
 */
async function liveNow<T extends KubeObject>(
  kube: Pick<Kube, 'list'>,
  resource: Resource,
  { metadata: { namespace, name } }: KubeObject,
): Promise<T | undefined> {
  const where = namespace === undefined ? {} : { namespace };
  const { items } = await kube.list<T>(resource, { ...where, fieldSelector: `metadata.name=${name}` });
  return items[0];
}

/** As `ensure`, of an object of which the caller knows that the Capp may have it. */
export async function ensureOwn<T extends KubeObject>(
  kube: Pick<Kube, 'create' | 'apply'>,
  { resource, object, live, isContested = false }: Kept<T>,
): Promise<T | null> {
  const wanted = stamped(object);
  const options = { fieldManager: FIELD_MANAGER };
  if (live === undefined)
    return isContested ? kube.create<T>(resource, wanted, options) : kube.apply<T>(resource, wanted, options);
  if (live.metadata.deletionTimestamp !== undefined) return null;
  if (
    live.metadata.annotations?.[APPLIED] === wanted.metadata.annotations?.[APPLIED] &&
    containsAll(live, wanted)
  )
    return live;
  const written = isInherited(live, wanted) ? withoutSpec(wanted) : wanted;
  return kube.apply<T>(resource, withUid(written, live), { ...options, force: true });
}

/**
 * container-app-operator has made it as it should be, with defaults of its own: to write the spec again would
 * remove them, and a Knative Service would get a new revision.
 */
export function isInherited(live: KubeObject, wanted: KubeObject): boolean {
  return live.metadata.annotations?.[APPLIED] === undefined && containsAll(specOf(live), specOf(wanted));
}

function specOf(object: KubeObject): unknown {
  return (object as { readonly spec?: unknown }).spec;
}

/** What is left out of an apply stays as it is. */
function withoutSpec<T extends KubeObject>(object: T): T {
  const { spec: _spec, ...rest } = object as T & { readonly spec?: unknown };
  return rest as unknown as T;
}

/** Whether the live object was last written as this one. */
export function isAppliedAs(live: KubeObject, object: KubeObject): boolean {
  return live.metadata.annotations?.[APPLIED] === hashOf(object);
}

/** A hash of everything wanted: comparing fields alone would not notice a field that is no longer wanted. */
function stamped<T extends KubeObject>(object: T): T {
  const annotations = { ...object.metadata.annotations, [APPLIED]: hashOf(object) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function hashOf(object: KubeObject): string {
  return digestOf(JSON.stringify(object), 16);
}

/** With the uid, a patch cannot hit a successor of the same name. */
function withUid<T extends KubeObject>(object: T, live: T): T {
  return {
    ...object,
    metadata: { ...object.metadata, ...(live.metadata.uid === undefined ? {} : { uid: live.metadata.uid }) },
  };
}
