// Whether there is room for what a hub writes: an etcd that finds none stops, and with it everything.
import { freeIn } from '../local/disk.ts';
import { named } from './config/fields.ts';
import { ConfigRefused } from './config/refused.ts';

const MIB = 1_048_576;

/** What somebody needs who is named in messages, in bytes. */
export interface Need {
  readonly field: string;
  /** With its article. */
  readonly who: string;
  /** To start at all. */
  readonly least: number;
  /** With less than this they are warned. */
  readonly enough: number;
}

/** etcd writes files of 64 MiB ahead; two of them, and the first logs. */
const LEAST = 256 * MIB;
/** A database of etcd may grow to 2 GiB, and is copied when it is defragmented or backed up. */
const ENOUGH = 4096 * MIB;

const OF_A_HUB: Need = { field: named('dataDirectory'), who: 'a hub', least: LEAST, enough: ENOUGH };

/** Of an etcd of so many members, which all have all data. */
export function needOfEtcd(members: number): Need {
  return { field: '--data-dir', who: 'an etcd', least: members * LEAST, enough: members * ENOUGH };
}

/** Returns warnings. Throws ConfigRefused when a new one could not even start. Writes nothing. */
export async function checkRoom(
  directory: string,
  isNew: boolean,
  need = OF_A_HUB,
): Promise<readonly string[]> {
  return roomFor(directory, { free: await freeIn(directory), isNew }, need);
}

/** `free` in bytes. One that has run may run, and is warned. Throws ConfigRefused. */
export function roomFor(
  directory: string,
  { free, isNew }: { readonly free: number; readonly isNew: boolean },
  { field, who, least, enough } = OF_A_HUB,
): readonly string[] {
  if (free >= enough) return [];
  const left = `${field}: ${Math.floor(free / MIB)} MiB are left on the disk of ${directory}`;
  if (free < least && isNew)
    throw new ConfigRefused([
      `${left}, and ${who} needs ${least / MIB}. Make room, or give another directory.`,
    ]);
  return [`${left}. ${who.replace('a', 'A')} may come to need ${enough / MIB}: watch it, or make room.`];
}
