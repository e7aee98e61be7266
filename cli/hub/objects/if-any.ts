// Reads what there may be, where a person may know whether there is.
import { isForbidden, isNotFound } from '../../../kube/failure.ts';
import type { Key, KubeObject, Resource } from '../../../kube/resource.ts';
import type { ConnectedHub } from '../connection/hub.ts';

/**
 * Null if there is none, or the person may not read it. Throws ApiError when the API server does not answer.
 */
export function readIfAny<T extends KubeObject>(
  { kube }: Pick<ConnectedHub, 'kube'>,
  resource: Resource,
  key: Key,
): Promise<T | null> {
  return ifAllowed(kube.get<T>(resource, key));
}

/** The namespaces with an object of that name; none for whoever may not list them all. Throws as above. */
export async function namespacesWith(
  { kube }: Pick<ConnectedHub, 'kube'>,
  resource: Resource,
  name: string,
): Promise<string[]> {
  const found = await ifAllowed(
    kube.list(resource, { fieldSelector: `metadata.name=${name}`, metadataOnly: true }),
  );
  return (found?.items ?? []).map(({ metadata }) => metadata.namespace ?? '').toSorted();
}

/**
 * Null where the person may not read it, or the hub does not serve the kind. Throws any other error of the
 * reading.
 */
export async function ifAllowed<T>(reading: Promise<T | null>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return null;
    throw error;
  }
}
