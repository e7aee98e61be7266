// Reads objects from YAML files, and applies CRDs.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { CUSTOM_RESOURCE_DEFINITION } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';

export const FIELD_MANAGER = 'local-stack';

export interface DefinitionObject extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/**
 * The objects of a YAML file, or of all YAML files in a folder, sorted by file name. Throws when a file
 * cannot be read or parsed.
 */
export async function readManifests(path: string): Promise<KubeObject[]> {
  const isFolder = (await stat(path)).isDirectory();
  const names = isFolder ? (await readdir(path)).filter((name) => name.endsWith('.yaml')).toSorted() : [];
  const files = isFolder ? names.map((name) => join(path, name)) : [path];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject | null))
    .filter((object) => object !== null);
}

export function isDefinition(object: KubeObject): object is DefinitionObject {
  return object.kind === CUSTOM_RESOURCE_DEFINITION.kind;
}

/**
 * An API server that ended between the two conditions of a new CRD never serves it by itself: it asks again
 * only when the CRD changes (kubernetes 1.35: apiextensions' establishing controller).
 */
const TOUCHED = 'rcs.dana.io/touched';

/**
 * Applies the CRDs and waits until each is served; one that is not is changed each `touchMs`. Throws after
 * `withinMs` and names a CRD that is not served.
 */
export async function applyDefinitions(
  kube: Pick<Kube, 'apply' | 'get' | 'patch'>,
  definitions: readonly DefinitionObject[],
  { withinMs, touchMs } = { withinMs: 120_000, touchMs: 10_000 },
): Promise<void> {
  const deadline = Date.now() + withinMs;
  const applied = definitions.map(async (definition) => {
    const key = { namespace: null, name: definition.metadata.name };
    let known = await kube.apply(CUSTOM_RESOURCE_DEFINITION, definition, {
      fieldManager: FIELD_MANAGER,
      force: true,
    });
    let touchAt = Date.now() + touchMs;
    while (!isServed(known)) {
      const now = Date.now();
      if (now > deadline)
        throw new Error(`The API server does not serve ${key.name} after ${withinMs / 1000} s.`);
      if (now > touchAt) {
        const annotations = { [TOUCHED]: new Date(now).toISOString() };
        await kube.patch(CUSTOM_RESOURCE_DEFINITION, key, { metadata: { annotations } });
        touchAt = now + touchMs;
      }
      await sleep(50);
      known = (await kube.get<DefinitionObject>(CUSTOM_RESOURCE_DEFINITION, key)) ?? known;
    }
  });
  await Promise.all(applied);
}

function isServed({ status }: DefinitionObject): boolean {
  return (
    status?.conditions?.some(({ type, status: truth }) => type === 'Established' && truth === 'True') === true
  );
}
