// Applies objects of any kind to a cluster. The API server says which resource belongs to a kind; a kind that
// was just defined is waited for.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../../../kube/client.ts';
import { isNotFound } from '../../../kube/failure.ts';
import { keyOf, type KubeObject, type Resource } from '../../../kube/resource.ts';
import { FIELD_MANAGER, readManifests } from './manifests.ts';

const SERVED_WITHIN_MS = 60_000;

/** Applies the objects in order. Safe to repeat. */
export async function applyObjects(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  await each(kube, objects, (resource, object) =>
    kube.apply(resource, object, { fieldManager: FIELD_MANAGER, force: true }),
  );
}

/**
 * Creates the objects that do not exist, in order. Does not change the others, which somebody may have
 * edited. Safe to repeat.
 */
export async function createMissing(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  await each(kube, objects, async (resource, object) => {
    if ((await kube.get(resource, keyOf(object))) === null)
      await kube.create(resource, object, { fieldManager: FIELD_MANAGER });
  });
}

/** The objects of a file in deploy/local/manifests. `name` is without `.yaml`. */
export function ourManifests(name: string): Promise<KubeObject[]> {
  return readManifests(join(import.meta.dirname, '..', 'manifests', `${name}.yaml`));
}

async function each(
  kube: Kube,
  objects: readonly KubeObject[],
  put: (resource: Resource, object: KubeObject) => Promise<unknown>,
): Promise<void> {
  const kinds = new Map<string, Resource>();
  for (const object of objects) {
    const kind = `${object.apiVersion} ${object.kind}`;
    const resource =
      kinds.get(kind) ??
      (await resourceOf(kube, { apiVersion: object.apiVersion ?? '', kind: object.kind ?? '' }));
    kinds.set(kind, resource);
    await put(resource, object);
  }
}

/** The resource of a kind. Waits for a kind that is not served yet, and throws after 15 s. */
export async function resourceOf(
  kube: Kube,
  { apiVersion, kind }: { apiVersion: string; kind: string },
): Promise<Resource> {
  const deadline = Date.now() + SERVED_WITHIN_MS;
  for (;;) {
    const resource = await discover(kube, apiVersion, kind);
    if (resource !== null) return resource;
    if (Date.now() > deadline)
      throw new Error(
        `The API server does not serve ${kind} of ${apiVersion} after ${SERVED_WITHIN_MS / 1000} s.`,
      );
    await sleep(100);
  }
}

interface Served {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

async function discover(kube: Kube, apiVersion: string, kind: string): Promise<Resource | null> {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const list = await kube.raw('GET', path).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  const found = (list as Served | null)?.resources.find(
    (resource) => resource.kind === kind && !resource.name.includes('/'),
  );
  return found === undefined ? null : { apiVersion, kind, plural: found.name, namespaced: found.namespaced };
}
