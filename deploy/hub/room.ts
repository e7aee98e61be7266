// Whether there is room for what a hub writes: an etcd that finds none stops, and with it everything.
import { statfs } from 'node:fs/promises';
import { named } from './config/fields.ts';
import { ConfigRefused } from './config/refused.ts';
import { existingAbove } from './data-directory.ts';

const MIB = 1_048_576;
/** etcd writes files of 64 MiB ahead; two of them, and the first logs. */
const LEAST = 256 * MIB;
/** A database of etcd may grow to 2 GiB, and is copied when it is defragmented or backed up. */
const ENOUGH = 4096 * MIB;

/** Returns warnings. Throws ConfigRefused when a new hub could not even start. Writes nothing. */
export async function checkRoom(directory: string, isNew: boolean): Promise<readonly string[]> {
  const { bavail, bsize } = await statfs(existingAbove(directory));
  return roomFor(directory, bavail * bsize, isNew);
}

/** `free` in bytes. A hub that has run may run, and is warned. Throws ConfigRefused. */
export function roomFor(directory: string, free: number, isNew: boolean): readonly string[] {
  if (free >= ENOUGH) return [];
  const left = `${named('dataDirectory')}: ${Math.floor(free / MIB)} MiB are left on the disk of ${directory}`;
  if (free < LEAST && isNew)
    throw new ConfigRefused([
      `${left}, and a hub needs ${LEAST / MIB}. Make room, or give another directory.`,
    ]);
  return [`${left}. A hub may come to need ${ENOUGH / MIB}: watch it, or make room.`];
}
