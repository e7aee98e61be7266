// Whose data directory it is: an etcd never starts in somebody else's, nor at other ports than its members
// know.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigRefused } from '../hub/config/refused.ts';
import { refuseUnwritable } from '../hub/data-directory.ts';
import { readJson, writeJson } from '../local/supervise/json-file.ts';

/** What was true when it was made, and has to stay so. */
export interface EtcdOrigin {
  readonly version: 1;
  /** Of the first member. The members know each other by their ports. */
  readonly port: number;
  /** All members have been there: one that is without data from now on has lost it. */
  readonly hasBegun: boolean;
}

/** A command that runs an etcd there holds it. */
export function etcdLock(directory: string): string {
  return `etcd ${directory}`;
}

/** Checks the directory, and writes nothing. Null: it holds no etcd yet. Throws ConfigRefused. */
export async function etcdIn(directory: string, port: number): Promise<EtcdOrigin | null> {
  refuseUnwritable(directory);
  const made = await readJson<EtcdOrigin>(madeFile(directory));
  if (made === null) {
    const entries = existsSync(directory) ? readdirSync(directory) : [];
    const entry = entries.find((name) => name !== 'lost+found');
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

/** Whether a member has anything that it may start with. */
export function hasData(dataDir: string): boolean {
  const log = join(dataDir, 'member', 'wal');
  return existsSync(log) && readdirSync(log).some((name) => name.endsWith('.wal'));
}

function madeFile(directory: string): string {
  return join(directory, 'state', 'etcd.json');
}
