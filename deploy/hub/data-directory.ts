// Whose data directory it is: a hub never starts in somebody else's, nor with what does not fit its own.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { whyUnwritable } from '../local/disk.ts';
import { readJson, writeJson } from '../local/supervise/json-file.ts';
import { acquire, acquireMade, type FolderLock, type ProcessLock } from '../local/supervise/lock.ts';
import { stackProcesses } from '../local/supervise/stack-processes.ts';
import { named } from './config/fields.ts';
import { ConfigRefused } from './config/refused.ts';

const FIELD = named('dataDirectory');

/** What was true when the hub was made, and has to stay so. */
export interface HubOrigin {
  readonly version: 1;
  readonly etcd: { readonly mode: 'embed' | 'external'; readonly prefix: string };
  /**
   * By which an etcd of somebody else's knows it. A hub that an earlier program has made may have none yet.
   */
  readonly id?: string;
  /** The authority's fingerprint. Null until there is one. */
  readonly authority: string | null;
}

/** A command that runs a hub there holds it. */
export function hubLock(directory: string): FolderLock {
  return { what: 'hub', folder: directory };
}

/**
 * Runs the checks while no other command of this machine runs the same there, whichever path leads there, and
 * keeps it so until this process ends: a hub keeps hubs out, and an etcd etcds. Makes the directory if they
 * pass. Throws ConfigRefused, and what they throw.
 */
export async function checkedAlone<T>(asked: FolderLock, check: () => Promise<T>): Promise<T> {
  const isThere = existsSync(asked.folder);
  const lock = await theOne(asked, acquire(asked));
  const checked = await check();
  if (isThere) return checked;
  // By its path alone it was held until now: somebody may have made it by another one meanwhile.
  await theOne(asked, acquireMade(asked, lock));
  return check();
}

async function theOne(asked: FolderLock, acquired: Promise<ProcessLock | null>): Promise<ProcessLock> {
  const lock = await acquired;
  if (lock === null) throw new ConfigRefused([await runsAlready(asked)]);
  return lock;
}

async function runsAlready({ what, folder }: FolderLock): Promise<string> {
  const other = (await stackProcesses(folder)).find((one) => one.folder !== folder)?.folder;
  const place = other === undefined ? folder : `${folder}, which is also ${other},`;
  return `${what === 'hub' ? 'A hub' : 'An etcd'} runs in ${place} already. Stop it with Ctrl-C where it runs, or give another --data-dir.`;
}

export function madeFile(directory: string): string {
  return join(directory, 'state', 'hub.json');
}

/**
 * Checks the directory, and writes nothing. Null: it holds no hub yet. `authority` is the fingerprint of the
 * one that the hub would use, or null if it would make one. Throws ConfigRefused.
 */
export async function checkDirectory(
  directory: string,
  wanted: Pick<HubOrigin, 'etcd' | 'authority'>,
): Promise<HubOrigin | null> {
  refuseUnwritable(directory);
  const made = await originIn(directory);
  if (made === null) {
    const [entry] = existsSync(directory)
      ? readdirSync(directory).filter((name) => name !== 'lost+found')
      : [];
    if (entry === undefined) return null;
    throw new ConfigRefused([
      `${FIELD}: ${directory} is no hub's, and holds ${entry}. Give an empty directory, or one that a hub has made.`,
    ]);
  }
  const refusals = differences(made, wanted).map((one) => `${FIELD}: the hub in ${directory} ${one}`);
  if (refusals.length > 0) throw new ConfigRefused(refusals);
  return made;
}

async function originIn(directory: string): Promise<HubOrigin | null> {
  const file = madeFile(directory);
  try {
    return await readJson<HubOrigin>(file);
  } catch {
    // Who deletes it, as other files of that folder, has a directory that no hub takes for its own.
    throw new ConfigRefused([
      `${FIELD}: ${file} is damaged, or not yours to read. It says whose hub that is: put it back from a backup, and do not delete it.`,
    ]);
  }
}

/** Remembers it for the next start. Makes the directory, which only its owner may read. */
export function remember(directory: string, made: HubOrigin): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeJson(madeFile(directory), made);
}

function differences(made: HubOrigin, wanted: Pick<HubOrigin, 'etcd' | 'authority'>): string[] {
  const { mode, prefix } = made.etcd;
  if (made.version !== 1)
    return [`is of version ${String(made.version)}, which this program does not know. Use a newer one.`];
  return [
    ...(mode === wanted.etcd.mode
      ? []
      : [
          `was made with ${named('etcd.mode')} ${mode}, and this is ${wanted.etcd.mode}: its objects are not there. Give ${mode}, or an empty directory.`,
        ]),
    ...(prefix === wanted.etcd.prefix
      ? []
      : [
          `was made with ${named('etcd.prefix')} ${prefix}, and this is ${wanted.etcd.prefix}. Give ${prefix}, or an empty directory.`,
        ]),
    ...(made.authority === null || made.authority === wanted.authority
      ? []
      : [
          `was made with the authority ${made.authority}, and this is ${wanted.authority ?? 'none'}: all sites rest on it. Give the same in ${named('apiserver.caFile')}, or an empty directory.`,
        ]),
  ];
}

export function refuseUnwritable(directory: string): void {
  const found = whyUnwritable(directory);
  if (found === null) return;
  const { place, why } = found;
  throw new ConfigRefused([
    why === 'is a file'
      ? `${FIELD}: ${place} is a file. Give a directory.`
      : `${FIELD}: ${place} ${why}. Give a directory that you own, such as --data-dir ~/hub, or change its owner.`,
  ]);
}
