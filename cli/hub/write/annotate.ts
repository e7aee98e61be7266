// Writes the annotations by which a person asks for something.
import { requestedBy } from '../../../crds/labels.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import type { ConnectedHub } from '../connection/hub.ts';

/**
 * Writes annotations on exactly the object that was read; null removes one. The name of whoever asked for the
 * same before goes with it: while no webhook answers, nobody else's name may stay there. A repeat changes
 * nothing. Throws ApiError, a Conflict if another object of that name is there now.
 */
export function annotateObject<T extends KubeObject>(
  hub: ConnectedHub,
  resource: Resource,
  object: T,
  annotations: Readonly<Record<string, string | null>>,
): Promise<T> {
  return patched(hub, resource, object, { uid: object.metadata.uid, ...askedOf(object, annotations) });
}

/** As `annotateObject`; throws a Conflict also where the object has changed in any way since it was read. */
export function annotateAsRead<T extends KubeObject>(
  hub: ConnectedHub,
  resource: Resource,
  object: T,
  annotations: Readonly<Record<string, string | null>>,
): Promise<T> {
  const { uid, resourceVersion } = object.metadata;
  return patched(hub, resource, object, { uid, resourceVersion, ...askedOf(object, annotations) });
}

function askedOf(
  { metadata }: KubeObject,
  annotations: Readonly<Record<string, string | null>>,
): { readonly annotations: Readonly<Record<string, string | null>> } {
  const stale = Object.keys(annotations)
    .map(requestedBy)
    .filter((by) => metadata.annotations?.[by] !== undefined);
  return { annotations: { ...annotations, ...Object.fromEntries(stale.map((by) => [by, null])) } };
}

function patched<T extends KubeObject>(
  { kube }: ConnectedHub,
  resource: Resource,
  { metadata }: T,
  change: object,
): Promise<T> {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name };
  return kube.patch<T>(resource, key, { metadata: change }, { fieldManager: 'kubectl-capp' });
}
