// The mark of a hub that was restored from a backup: as long as it is there, the hub's doors are shut.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson } from '../../local/supervise/json-file.ts';
import { ConfigRefused } from '../config/refused.ts';

export interface RestoredHub {
  /** When the backup was made, RFC 3339. Null: nobody knows, since somebody else restored its etcd. */
  readonly at: string | null;
}

export function restoredFile(directory: string): string {
  return join(directory, 'state', 'restored.json');
}

/** Null: its doors are open. A mark that cannot be read keeps them shut: it throws ConfigRefused. */
export async function restoredIn(directory: string): Promise<RestoredHub | null> {
  try {
    return await readJson<RestoredHub>(restoredFile(directory));
  } catch {
    // Without it the doors would open, so nobody is told to delete it.
    throw new ConfigRefused([
      `${restoredFile(directory)} cannot be read, so nobody may come in. Leave it there, move ${directory} away, and restore again from the file of the backup.`,
    ]);
  }
}

export function isShut(directory: string): boolean {
  return existsSync(restoredFile(directory));
}

/** The running hub sees it, and opens. */
export async function admitAll(directory: string): Promise<void> {
  await rm(restoredFile(directory));
}
