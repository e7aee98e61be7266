// Writes one manager's part of an object's status.
import type { Kube } from './client.ts';
import { isNotFound } from './failure.ts';
import type { KubeObject, Resource } from './resource.ts';

export interface StatusPart {
  /** What it left out since last time is removed; what other managers wrote stays. */
  readonly status: object;
  readonly fieldManager: string;
  /** Throws a Conflict if the object has changed since it was read. */
  readonly asRead?: boolean;
}

/** Takes the object as it was read. Returns it as it was written, or null if it is gone. Throws ApiError. */
export async function applyStatus<T extends KubeObject>(
  kube: Pick<Kube, 'apply'>,
  resource: Resource,
  { metadata: { name, namespace, uid, resourceVersion } }: KubeObject,
  { status, fieldManager, asRead = false }: StatusPart,
): Promise<T | null> {
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(asRead && resourceVersion !== undefined ? { resourceVersion } : {}),
  };
  const part: KubeObject & { status: object } = { metadata, status };
  try {
    return (await kube.apply<KubeObject>(resource, part, {
      fieldManager,
      force: true,
      subresource: 'status',
    })) as T;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
