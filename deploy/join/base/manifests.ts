// The manifests of a part: from a folder or a mirror that was given, from what `make tools` has brought, or
// from their publisher. None is believed but by its digest.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheRoot } from '../../local/programs/tools.ts';
import { addressOf, type Published } from '../../local/published/pins.ts';
import { builtPath, isPinned, objectsIn } from '../../local/published/read.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { JoinRefused } from '../refused.ts';

/** How long a file may take to come: it has at most 1 MB. */
const FETCH_MS = 60_000;

export interface ManifestSource {
  /** A folder, or the address of a mirror, which has each file by its name in our table; null: none. */
  readonly given: string | null;
  /** Whether what was fetched is kept in the cache for the next time. */
  readonly isKept: boolean;
}

/** The objects of the files, in order. Throws JoinRefused. */
export async function manifestsOf(
  files: readonly Published[],
  source: ManifestSource,
): Promise<KubeObject[]> {
  const texts: Uint8Array[] = [];
  for (const file of files) texts.push(await bytesOf(file, source));
  return texts.flatMap(objectsIn);
}

async function bytesOf(file: Published, { given, isKept }: ManifestSource): Promise<Uint8Array> {
  if (given !== null) return verified(file, await fromGiven(file, given), where(file, given));
  for (const path of [builtPath(file), cached(file)]) {
    const bytes = await readFile(path).catch(() => null);
    // Another version of it, or half a file, is fetched anew.
    if (bytes !== null && isPinned(file, bytes)) return bytes;
  }
  const address = addressOf(file);
  const bytes = verified(file, await fetched(file, address), address);
  if (isKept) await keep(cached(file), bytes);
  return bytes;
}

function fromGiven(file: Published, given: string): Promise<Uint8Array> {
  const place = where(file, given);
  if (isAddress(given)) return fetched(file, place);
  return readFile(place).catch(() => {
    throw new JoinRefused([`--manifests: ${place} cannot be read. Put ${addressOf(file)} there.`]);
  });
}

function where({ file }: Published, given: string): string {
  return isAddress(given) ? `${given.replace(/\/$/, '')}/${file}` : join(given, file);
}

function isAddress(given: string): boolean {
  return /^https?:\/\//.test(given);
}

async function fetched({ file }: Published, address: string): Promise<Uint8Array> {
  const why = (reason: string): JoinRefused =>
    new JoinRefused([
      `${file} could not be fetched from ${address} (${reason}). Without a way there, fetch it on another machine, and give the folder with it, or the address of a mirror: --manifests <folder or address>. cappstan base --list says what belongs there.`,
    ]);
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(FETCH_MS) });
    if (!answer.ok) throw why(String(answer.status));
    return new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    if (error instanceof JoinRefused) throw error;
    const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
    throw why(cause?.code ?? message);
  }
}

function verified(file: Published, bytes: Uint8Array, place: string): Uint8Array {
  if (isPinned(file, bytes)) return bytes;
  const found = createHash('sha256').update(bytes).digest('hex');
  throw new JoinRefused([
    `${place} is not what was pinned: its SHA-256 is ${found}, and ${file.sha256} is expected. Nothing was written. Take it from ${addressOf(file)}.`,
  ]);
}

function cached({ sha256 }: Published): string {
  return join(cacheRoot(), 'manifests', `${sha256}.yaml`);
}

/** It appears only when it is complete. */
async function keep(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  const half = `${path}.${process.pid}.half`;
  await writeFile(half, bytes);
  await rename(half, path);
}
