// Whose data directory it is: an etcd never starts in somebody else's, nor at other ports than its members
// know.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigRefused } from '../hub/config/refused.ts';
import { refuseUnwritable } from '../hub/data-directory.ts';
import { readJson, writeJson } from '../local/supervise/json-file.ts';
import type { FolderLock } from '../local/supervise/lock.ts';

/** What a file system puts into an empty disk. */
const OF_A_DISK = 'lost+found';
const A_MEMBER = /^etcd-[0-2]$/;

/** What was true when it was made, and has to stay so. */
export interface EtcdOrigin {
  readonly version: 1;
  /** Of the first member. The members know each other by their ports. */
  readonly port: number;
  /** All members have been there: one that is without data from now on has lost it. */
  readonly hasBegun: boolean;
  /** Members whose data has been on a disk of its own: without that disk, nothing is lost. */
  readonly ownDisks?: readonly string[];
}

/** A command that runs an etcd there holds it. */
export function etcdLock(directory: string): FolderLock {
  return { what: 'etcd', folder: directory };
}

/** Checks the directory, and writes nothing. Null: it holds no etcd yet. Throws ConfigRefused. */
export async function etcdIn(directory: string, port: number): Promise<EtcdOrigin | null> {
  refuseUnwritable(directory);
  const made = await readJson<EtcdOrigin>(madeFile(directory));
  if (made === null) {
    const entries = existsSync(directory) ? readdirSync(directory) : [];
    const entry = entries.find((name) => name !== OF_A_DISK && !isRoomForDisks(directory, name));
    if (entry === undefined) return null;
    throw new ConfigRefused([
      `--data-dir: ${directory} is no etcd's, and holds ${entry}. Give an empty directory, or one that cappstan etcd has made.`,
    ]);
  }
  if (made.version !== 1)
    throw new ConfigRefused([
      `--data-dir: the etcd in ${directory} is of version ${String(made.version)}, which this program does not know. Use a newer one.`,
    ]);
  if (made.port === port) return made;
  throw new ConfigRefused([
    `--data-dir: the etcd in ${directory} was made with --port ${made.port}, and this is ${port}: its members would not find each other. Give ${made.port}, or an empty directory.`,
  ]);
}

export function rememberEtcd(directory: string, made: EtcdOrigin): void {
  writeJson(madeFile(directory), made);
}

/**
 * `data`, if nothing is in it but the places of members, with nothing in them: disks may be mounted there.
 */
function isRoomForDisks(directory: string, name: string): boolean {
  const place = join(directory, name);
  if (name !== 'data' || !statSync(place).isDirectory()) return false;
  const isFree = (entry: string): boolean =>
    readdirSync(join(place, entry)).every((inside) => inside === OF_A_DISK);
  return readdirSync(place).every((entry) => entry === OF_A_DISK || (A_MEMBER.test(entry) && isFree(entry)));
}

/** Where it is, with what a person may have to change in it. */
export function madeFile(directory: string): string {
  return join(directory, 'state', 'etcd.json');
}
