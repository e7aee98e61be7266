// Removes old programs from the cache: other versions that nobody has used for two weeks, and what
// interrupted builds left.
import { readdir, readlink, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Progress } from '../terminal.ts';

const DAY_MS = 24 * 3_600_000;
/** Two weeks, because other checkouts may still use other versions. */
const UNUSED_MS = 14 * DAY_MS;
/** Longer than any build. The lock covers only this machine, but the cache may be shared. */
const INTERRUPTED_MS = DAY_MS;
const INTERRUPTED = /^[a-z]+-[0-9a-f]{12}\.half-/;

export interface Pruning {
  /** The cache. */
  readonly root: string;
  /** The module that was just built. Of other modules only interrupted builds are removed. */
  readonly part: string;
  /** The folder name of the module's present version. */
  readonly present: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Prints what was removed. A failure is only a warning, because the build has succeeded. */
export async function pruneAfterBuild(pruning: Pruning, progress: Progress): Promise<void> {
  try {
    const gone = await prune(pruning);
    if (gone.length > 0) progress.say(`Removed unused programs from ${pruning.root}: ${gone.join(', ')}.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    progress.say(
      `Warning: could not remove old programs from ${pruning.root} (${why}). They only take space. Remove them by hand.`,
    );
  }
}

/** Returns the names of the removed folders. Throws errors of the file system. */
export async function prune({ root, part, present, now }: Pruning): Promise<string[]> {
  const running = await runningFrom(root);
  const gone: string[] = [];
  for (const name of await readdir(root)) {
    const limit = name === present || running.has(name) ? null : unusedLimitOf(name, part);
    if (limit === null || now - (await stat(join(root, name))).mtimeMs <= limit) continue;
    await removeFolder(root, name);
    gone.push(name);
  }
  return gone;
}

/** After how many milliseconds without use a folder is removed; null for never. */
function unusedLimitOf(name: string, part: string): number | null {
  if (INTERRUPTED.test(name)) return INTERRUPTED_MS;
  return name.startsWith(`${part}-`) && /^[0-9a-f]{12}$/.test(name.slice(part.length + 1)) ? UNUSED_MS : null;
}

/**
 * Renames the folder first: if this process is killed, the rest looks like an interrupted build and not like
 * a program.
 */
async function removeFolder(root: string, name: string): Promise<void> {
  const renamed = join(root, INTERRUPTED.test(name) ? name : `${name}.half-gone`);
  await rename(join(root, name), renamed);
  await rm(renamed, { recursive: true, force: true });
}

/** The folders whose programs run now (Linux). A stack can run for weeks, and restarts its processes. */
async function runningFrom(root: string): Promise<ReadonlySet<string>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const programs = await Promise.all(pids.map((pid) => readlink(join('/proc', pid, 'exe')).catch(() => '')));
  const folder = `${await realpath(root)}/`;
  const inside = programs.filter((program) => program.startsWith(folder));
  return new Set(inside.map((program) => program.slice(folder.length).split('/')[0] ?? ''));
}

/** Sets the time of the last use. Fails silently: who may not write there cannot remove the folder either. */
export async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => undefined);
}
