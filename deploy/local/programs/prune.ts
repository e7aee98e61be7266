// Removes from the cache the programs of former versions that nobody has used for long, and what builds that died have left there.
import { readdir, readlink, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Progress } from '../progress.ts';

const DAY_MS = 24 * 3_600_000;
/** Another checkout may go back and forth between versions. */
const UNUSED_MS = 14 * DAY_MS;
/** No build takes so long, wherever it runs: a lock tells of builds on this machine only. */
const HALF_MS = DAY_MS;
const HALF = /^[a-z]+-[0-9a-f]{12}\.half-/;

export interface Pruning {
  /** The cache. */
  readonly root: string;
  /** The name of the part that was just built; of other parts only what died goes. */
  readonly part: string;
  /** The folder's name of the part's present version. */
  readonly present: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Says what went. A failure is a warning: the build has succeeded. */
export async function pruneAfterBuild(pruning: Pruning, progress: Progress): Promise<void> {
  try {
    const gone = await prune(pruning);
    if (gone.length > 0) progress.say(`Removed from ${pruning.root}, unused for long: ${gone.join(', ')}.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    progress.say(`Warning: old programs in ${pruning.root} could not be removed (${why}). They only take space: remove them by hand.`);
  }
}

/** Gives the names of the folders that went. Throws what the file system says. */
export async function prune({ root, part, present, now }: Pruning): Promise<string[]> {
  const running = await runningFrom(root);
  const gone: string[] = [];
  for (const name of await readdir(root)) {
    const limit = name === present || running.has(name) ? null : keptFor(name, part);
    if (limit === null || now - (await stat(join(root, name))).mtimeMs <= limit) continue;
    await removeWhole(root, name);
    gone.push(name);
  }
  return gone;
}

/** Milliseconds since its last use; null for what is not ours to remove. */
function keptFor(name: string, part: string): number | null {
  if (HALF.test(name)) return HALF_MS;
  return name.startsWith(`${part}-`) && /^[0-9a-f]{12}$/.test(name.slice(part.length + 1)) ? UNUSED_MS : null;
}

/** If we die on the way, what is left looks like a build that died, and not like programs. */
async function removeWhole(root: string, name: string): Promise<void> {
  const doomed = join(root, HALF.test(name) ? name : `${name}.half-gone`);
  await rename(join(root, name), doomed);
  await rm(doomed, { recursive: true, force: true });
}

/** A stack can run for weeks, and restarts what dies: the folders from which some process of ours was started (Linux). */
async function runningFrom(root: string): Promise<ReadonlySet<string>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const programs = await Promise.all(pids.map((pid) => readlink(join('/proc', pid, 'exe')).catch(() => '')));
  const folder = `${await realpath(root)}/`;
  const inside = programs.filter((program) => program.startsWith(folder));
  return new Set(inside.map((program) => program.slice(folder.length).split('/')[0] ?? ''));
}

/** Whoever may not write there cannot remove anything either. */
export async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => undefined);
}
