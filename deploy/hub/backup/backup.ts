// `cappstan hub backup`: all that a hub needs to live again, in one file, while it runs.
//
// Temporal's data is not in it: its workflows are started again from what is in Kubernetes.
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { link, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { layoutOf, type Layout } from '../../local/layout.ts';
import { readJson } from '../../local/supervise/json-file.ts';
import { openPorts } from '../../local/supervise/ports.ts';
import { stackProcesses } from '../../local/supervise/stack-processes.ts';
import { restoredIn } from '../admit/restored.ts';
import { ConfigRefused } from '../config/refused.ts';
import { madeFile, type HubOrigin } from '../data-directory.ts';
import { certificatesOf, portsFileOf } from '../foundation.ts';
import type { EtcdDoor } from '../store/ask.ts';
import { ABOUT, type BackupAbout } from './about.ts';
import { isPartName, partOf, writeArchive, type ArchivePart } from './archive.ts';
import { configuredIn, GIVEN, givenFiles } from './configured.ts';
import { sealerOf, type ArchiveLock } from './seal.ts';
import { snapshotOf } from './snapshot.ts';
import { isNoRoom, wholeOrNothing } from './whole-or-nothing.ts';

export interface Backup {
  /** Absolute. */
  readonly file: string;
  readonly dir: string;
  readonly lock: ArchiveLock | null;
  readonly isOverwriting: boolean;
}

/**
 * Writes the file, which only its owner may read. It appears when it is whole, or not at all. Changes nothing
 * of the hub. Throws ConfigRefused before anything is written.
 */
export async function backUpHub({ file, dir, lock, isOverwriting }: Backup): Promise<{ bytes: number }> {
  const layout = layoutOf(dir);
  const about = await aboutOf(layout);
  refuseExisting(file, isOverwriting);
  // Refuses what is no recipient.
  if (lock !== null) sealerOf(lock);
  const half = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  const write = async (): Promise<{ bytes: number }> => {
    const to = createWriteStream(half, { flags: 'wx', mode: 0o600, flush: true });
    await writeArchive(partsOf(layout, about), { lock, at: new Date(about.at), to });
    if (isOverwriting) await rename(half, file);
    else await link(half, file);
    await rm(half, { force: true });
    await syncFolder(dirname(file)).catch(() => undefined);
    return { bytes: to.bytesWritten };
  };
  try {
    return await wholeOrNothing(write, () => rmSync(half, { force: true }));
  } catch (error) {
    throw reasonOf(error, file);
  }
}

async function aboutOf(layout: Layout): Promise<BackupAbout> {
  const { dir } = layout;
  const made = await readJson<HubOrigin>(madeFile(dir));
  if (made === null)
    throw new ConfigRefused([`${dir} holds no hub. Give the directory of one with --data-dir.`]);
  if (made.etcd.mode === 'external')
    throw new ConfigRefused([
      `The objects of the hub in ${dir} are in an etcd of yours. Back that up (etcdctl snapshot save), and copy ${certificatesOf(layout)}, without whose keys nothing in it can be read, and ${madeFile(dir)}.`,
    ]);
  if ((await restoredIn(dir)) !== null)
    throw new ConfigRefused([
      `The hub in ${dir} was restored, and its sites are not admitted yet: the file that it was restored from is its backup. Admit them first: cappstan hub admit --data-dir ${dir}`,
    ]);
  const config = await configuredIn(dir);
  const isRunning = (await stackProcesses(dir)).some(({ name }) => name === 'etcd');
  if (!isRunning || config === null)
    throw new ConfigRefused([
      `The hub in ${dir} does not run${isRunning ? ' under this version of the program' : ''}. Start it, then back it up.`,
    ]);
  return { version: 1, at: new Date().toISOString(), made, config };
}

function refuseExisting(file: string, isOverwriting: boolean): void {
  if (existsSync(file) && !isOverwriting)
    throw new ConfigRefused([`${file} exists. Give another name, or --overwrite.`]);
  if (!existsSync(dirname(file)))
    throw new ConfigRefused([`${dirname(file)} does not exist. Make it, or give another place.`]);
}

/** Keys are kept for as long as a hub lives, so those of any moment open the snapshot. */
async function* partsOf(layout: Layout, about: BackupAbout): AsyncIterable<ArchivePart> {
  yield partOf(ABOUT, `${JSON.stringify(about, null, 2)}\n`);
  const { size, content } = await snapshotOf(await doorOf(layout));
  yield { name: 'etcd.db', size, content };
  const folder = certificatesOf(layout);
  for (const name of await keptIn(folder)) yield partOf(`cert/${name}`, await readFile(join(folder, name)));
  for (const { name, path } of givenFiles(about.config)) yield partOf(`given/${name}`, await readFile(path));
}

/**
 * Without kubeconfigs, which are written at each start, what is half written, what a restore has put there of
 * a given authority, and what is no file of a hub, such as an editor's.
 */
export async function keptIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.(?:kubeconfig|new)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith(GIVEN) && isPartName(`cert/${name}`))
    .toSorted();
}

async function doorOf(layout: Layout): Promise<EtcdDoor> {
  const [folder, ports] = [certificatesOf(layout), await openPorts(portsFileOf(layout))];
  const pair = { cert: join(folder, 'etcd-client.crt'), key: join(folder, 'etcd-client.key') };
  const server = `https://127.0.0.1:${await ports.of('etcd')}`;
  return { server, tls: { ca: join(folder, 'etcd-ca.crt'), pair } };
}

function reasonOf(error: unknown, file: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof ConfigRefused) return error;
  if (code === 'EEXIST')
    return new ConfigRefused([`${file} exists by now. Give another name, or --overwrite.`]);
  const remedy = isNoRoom(error)
    ? 'There is no room left where it was to be. Make room, or give another place.'
    : 'If the hub runs, run the command again.';
  return new Error(`No backup was written: ${message} ${remedy}`);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
