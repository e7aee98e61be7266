// State in small JSON files that are replaced whole, so that a reader never sees half of one.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The content, or null where there is no such file. Throws when it is not JSON. The shape is the writer's word. */
export async function readJson<T>(file: string): Promise<T | null> {
  if (!existsSync(file)) return null;
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new Error(`${file} is not valid JSON`, { cause });
  }
}

/** Synchronous, because the supervisor must have written a child down before anything else can happen. */
export function writeJson(file: string, content: unknown): void {
  writeText(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** Replaces the file whole; `mode` as for chmod. */
export function writeText(file: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, text, { mode });
  renameSync(next, file);
}
