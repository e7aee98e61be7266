// Files of manifests that a person names, read as kubectl reads them.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FileFault } from '../../../kube/files/fault.ts';
import { objectsOf } from '../../../kube/files/lists.ts';
import { documentsOf } from '../../../kube/files/read.ts';
import { CommandFailure } from '../../exit.ts';

/** Of one request. */
const MOST_BYTES = 3 * 1024 * 1024;

export interface FromFile {
  readonly value: unknown;
  /** The file, and which of its objects it is. */
  readonly where: string;
}

/**
 * The objects of a file, of each file of a folder (`.yaml`, `.yml` or `.json`, by name, not of folders in
 * it), or of standard input for `-`. Throws CommandFailure for what cannot be read.
 */
export async function objectsIn(path: string): Promise<FromFile[]> {
  const files = await filesAt(path);
  const found: FromFile[] = [];
  let bytes = 0;
  for (const file of files) {
    const content = await contentOf(file);
    bytes += content.length;
    if (bytes > MOST_BYTES)
      throw new CommandFailure(
        'usage',
        `${path} has ${files.length === 1 ? '' : 'more than '}${Math.ceil(bytes / 1024)} KiB, more than the ${MOST_BYTES / 1024} KiB that an API server takes: leave out what is not for it.`,
      );
    const values = valuesIn(file, content);
    found.push(...values.map((value, at) => ({ value, where: `${file}, object ${at + 1}` })));
  }
  return found;
}

/** What kubectl takes of a folder. */
const NAMES = /\.(ya?ml|json)$/;

async function filesAt(path: string): Promise<string[]> {
  if (path === '-') return [path];
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => NAMES.test(name)).toSorted();
  if (names.length === 0)
    throw new CommandFailure('usage', `${path} has no file that ends in .yaml, .yml or .json.`);
  return names.map((name) => join(path, name));
}

function contentOf(file: string): Promise<Buffer> {
  return (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

function valuesIn(file: string, content: Buffer): unknown[] {
  try {
    return objectsOf(documentsOf(content));
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new CommandFailure('usage', `${file} cannot be read: line ${error.line}: ${error.message}.`);
  }
}

function unreadable(file: string, error: unknown): CommandFailure {
  return new CommandFailure(
    'usage',
    `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
  );
}
