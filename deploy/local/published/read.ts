// Reads what others publish, and believes it only by its digest.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../../kube/resource.ts';
import { moduleFiles } from '../programs/tools.ts';
import type { Published } from './pins.ts';

/** Where `make tools` has put it. */
export function builtPath({ module, folder, name }: Published): string {
  return join(moduleFiles(module, folder), name);
}

/** Whether these are the bytes that were pinned. */
export function isPinned({ sha256 }: Published, bytes: Uint8Array): boolean {
  return createHash('sha256').update(bytes).digest('hex') === sha256;
}

/** Its objects, in its order. */
export function objectsIn(bytes: Uint8Array): KubeObject[] {
  return parseAllDocuments(Buffer.from(bytes).toString('utf8'))
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
}

/** Those of a file that `make tools` has brought. Throws an Error when it is not there or not as pinned. */
export async function builtObjects(published: Published): Promise<KubeObject[]> {
  const path = builtPath(published);
  const bytes = await readFile(path);
  if (!isPinned(published, bytes))
    throw new Error(`${path} is not the file that deploy/local/published/pins.ts pins. Delete its folder.`);
  return objectsIn(bytes);
}
