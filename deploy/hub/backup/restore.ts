// `cappstan hub restore`: a data directory from the file of a backup. It starts nothing.
import { execFile } from 'node:child_process';
import { createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { layoutOf } from '../../local/layout.ts';
import { toolPath } from '../../local/programs/tools.ts';
import { writeJson, writeText } from '../../local/supervise/json-file.ts';
import { restoredFile, type RestoredHub } from '../admit/restored.ts';
import { ConfigRefused } from '../config/refused.ts';
import { madeFile, refuseUnwritable } from '../data-directory.ts';
import { ABOUT, aboutIn, type BackupAbout } from './about.ts';
import { readArchive } from './archive.ts';
import { CONFIG_FILE, configFileOf, GIVEN } from './configured.ts';
import type { Keys } from './seal.ts';
import { isNoRoom, wholeOrNothing } from './whole-or-nothing.ts';

export interface Restore {
  /** Absolute. */
  readonly file: string;
  readonly dir: string;
  readonly keys: Keys | null;
}

/** Everything is made in here, and moved out of it when it is whole. */
const HALF = '.restoring';
/**
 * As Kubernetes advises: nobody who watched the former hub takes new resource versions for old ones. Far more
 * than a hub writes between two backups.
 */
const BUMP = ['--bump-revision=1000000000', '--mark-compacted'];

/**
 * Reads the whole file before it writes anything. The directory holds a hub when this returns, and nothing if
 * it throws. Throws ConfigRefused.
 */
export async function restoreHub({ file, dir, keys }: Restore): Promise<BackupAbout> {
  refuseUsed(dir);
  refuseUnwritable(dir);
  const about = await checked(file, keys);
  await begin(dir);
  const make = async (): Promise<void> => {
    await unpack(file, keys, join(dir, HALF));
    await makeStore(join(dir, HALF), about);
    await moveOut(dir, about);
  };
  try {
    await wholeOrNothing(make, () => empty(dir));
    return about;
  } catch (error) {
    throw reasonOf(error, dir);
  }
}

/** The check of the file has taken a while. Of two restores, only one makes the folder. */
async function begin(dir: string): Promise<void> {
  refuseUsed(dir);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await mkdir(join(dir, HALF), { mode: 0o700 });
  } catch (error) {
    refuseUsed(dir);
    throw reasonOf(error, dir);
  }
}

/** Nothing was in it before. */
function empty(dir: string): void {
  for (const entry of entriesOf(dir)) rmSync(join(dir, entry), { recursive: true, force: true });
}

function entriesOf(dir: string): readonly string[] {
  return existsSync(dir) ? readdirSync(dir).filter((name) => name !== 'lost+found') : [];
}

function refuseUsed(dir: string): void {
  const [entry] = entriesOf(dir);
  if (entry === undefined) return;
  const what = existsSync(madeFile(dir))
    ? 'holds a hub already. Give an empty directory, or stop that hub and move its directory away.'
    : existsSync(join(dir, HALF))
      ? `holds what a restore has begun. If none runs, it was interrupted: delete ${dir}, then restore again.`
      : `holds ${entry}. Give an empty directory.`;
  throw new ConfigRefused([`--data-dir: ${dir} ${what}`]);
}

async function checked(file: string, keys: Keys | null): Promise<BackupAbout> {
  let about: BackupAbout | null = null;
  const names = new Set<string>();
  await readArchive(file, keys, async ({ name, content }) => {
    names.add(name);
    if (name === ABOUT) about = aboutIn(await text(content));
    else for await (const _ of content);
  });
  if (about === null || !names.has('etcd.db') || !names.has('cert/encryption.yaml'))
    throw new ConfigRefused([
      `${file} is no backup of a hub. Give a file that cappstan hub backup has written.`,
    ]);
  return about;
}

async function unpack(file: string, keys: Keys | null, half: string): Promise<void> {
  await readArchive(file, keys, async ({ name, content }) => {
    const path = join(half, name.replace(/^given\//, `cert/${GIVEN}`));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  });
}

/** etcdutl compares the snapshot with the digest that etcd has put at its end. */
async function makeStore(half: string, { made }: BackupAbout): Promise<void> {
  const { dataOf } = layoutOf(half);
  const member = ['--name=local', '--initial-cluster=local=http://127.0.0.1:2380'];
  const peer = ['--initial-advertise-peer-urls=http://127.0.0.1:2380', `--data-dir=${dataOf('etcd')}`];
  if (made.etcd.mode !== 'embed') throw new Error('The backup is of a hub with an etcd of its own.');
  await mkdir(dirname(dataOf('etcd')), { recursive: true, mode: 0o700 });
  await promisify(execFile)(toolPath('etcdutl'), [
    'snapshot',
    'restore',
    join(half, 'etcd.db'),
    ...member,
    ...peer,
    ...BUMP,
  ]);
  await rm(join(half, 'etcd.db'));
}

/** `state` last: with it the directory is one of a hub, and of one whose doors are shut. */
async function moveOut(dir: string, { at, made, config }: BackupAbout): Promise<void> {
  const half = join(dir, HALF);
  const given = (name: string): string => join(dir, 'cert', `${GIVEN}${name}`);
  writeText(join(dir, CONFIG_FILE), configFileOf(config, dir, given));
  writeJson(madeFile(half), made);
  writeJson(restoredFile(half), { at } satisfies RestoredHub);
  for (const name of ['cert', 'data', 'state']) await rename(join(half, name), join(dir, name));
  await rm(half, { recursive: true });
}

function reasonOf(error: unknown, dir: string): Error {
  if (error instanceof ConfigRefused) return error;
  const { message, stderr = '' } = error as Error & { stderr?: string };
  const end = stderr.trim().split('\n').at(-1) ?? '';
  const remedy = isNoRoom(error)
    ? 'There is no room left there. Make room, or give another directory.'
    : 'Correct that, and restore again.';
  return new Error(`Nothing was restored into ${dir}: ${end === '' ? message : end} ${remedy}`);
}
