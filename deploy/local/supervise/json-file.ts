// Small files that are replaced atomically, so that a reader never sees a part of one.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The content, or null if the file does not exist. Throws when it is not JSON. Its shape is not checked. */
export async function readJson<T>(file: string): Promise<T | null> {
  if (!existsSync(file)) return null;
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new Error(`${file} is not valid JSON. Delete it, then run the command again.`, { cause });
  }
}

/** Synchronous, so that the supervisor has recorded a child before anything else runs. */
export function writeJson(file: string, content: unknown): void {
  writeText(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** Replaces the file by one that is on the disk before it has the name; `mode` as for chmod. */
export function writeText(file: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, text, { mode, flush: true });
  renameSync(next, file);
}
