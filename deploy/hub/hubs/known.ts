// Which hubs were started on this machine: each start leaves its version in the data directory, and the place
// of that directory with the user who started it. It is for `cappstan hubs` alone; no hub reads it.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readJson, writeJson } from '../../local/supervise/json-file.ts';
import { madeFile } from '../data-directory.ts';

/** A file of this size is written within milliseconds. */
const WRITTEN_WITHIN_MS = 60_000;

/** With which program a hub was started last. */
interface Started {
  readonly version: string;
}

interface KnownHub {
  readonly dataDirectory: string;
}

function startedFile(directory: string): string {
  return join(directory, 'state', 'started.json');
}

/** A file for each hub, so that two that start at one moment do not lose each other. */
export function knownFolder({ XDG_STATE_HOME: given }: NodeJS.ProcessEnv = process.env): string {
  return join(
    given === undefined || given === '' ? join(homedir(), '.local', 'state') : given,
    'cappstan/hubs',
  );
}

/**
 * Whether there is a hub: null when we cannot tell, as of another user's, or where a disk does not answer.
 * Relative paths count from where we are.
 */
export function isHub(directory: string): boolean | null {
  try {
    lstatSync(madeFile(directory));
    return true;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? false : null;
  }
}

/**
 * Whether it was deleted. Of one on a disk that is not mounted now, the folder above is gone too or empty, or
 * the directory itself is the place for the disk.
 */
function isDeleted(directory: string): boolean {
  if (isHub(directory) !== false) return false;
  try {
    const beside = readdirSync(dirname(directory));
    return beside.length > 0 && !beside.includes(basename(directory));
  } catch {
    return false;
  }
}

/**
 * Remembers that the hub in this directory is started now, by this program, and forgets hubs whose
 * directories were deleted. A user without a home has a hub all the same: then only its directory knows. Safe
 * to repeat.
 */
export function rememberStart(directory: string, folder = knownFolder()): void {
  writeJson(startedFile(directory), { version: programVersion() } satisfies Started);
  const name = `${createHash('sha256').update(directory).digest('hex').slice(0, 16)}.json`;
  try {
    writeJson(join(folder, name), { dataDirectory: directory } satisfies KnownHub);
    for (const [file, known] of knownIn(folder)) if (isDeleted(known)) rmSync(file, { force: true });
    for (const file of leftIn(folder)) rmSync(file, { force: true });
  } catch {
    // It is for a list alone, and the list finds running hubs without it.
  }
}

/** Of starts that were killed while they wrote. */
function leftIn(folder: string): readonly string[] {
  const before = Date.now() - WRITTEN_WITHIN_MS;
  return readdirSync(folder)
    .filter((name) => /\.json\.\d+\.new$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => (lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? before) < before);
}

/** Data directories of hubs that this user has started; of some the hub may be gone. */
export function knownHubs(folder = knownFolder()): readonly string[] {
  return knownIn(folder).map(([, directory]) => directory);
}

/** Null: it was started last by a program that did not say. */
export async function versionOf(directory: string): Promise<string | null> {
  return (await readJson<Started>(startedFile(directory)))?.version ?? null;
}

/** By file. What cannot be read is left out. */
function knownIn(folder: string): readonly (readonly [string, string])[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => directoryIn(join(folder, name)));
  } catch {
    return [];
  }
}

function directoryIn(file: string): readonly (readonly [string, string])[] {
  try {
    const { dataDirectory } = JSON.parse(readFileSync(file, 'utf8')) as Partial<KnownHub>;
    return typeof dataDirectory === 'string' ? [[file, dataDirectory]] : [];
  } catch {
    return [];
  }
}

/** Of this program: the archive of a hub has the file as well. */
function programVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
