// The Nodes that users may have, from npm as the lock file beside this says: the oldest one that runs our
// programs for people, and one that is too old. Downloaded once.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const FILES = ['package.json', 'package-lock.json'] as const;

/** `oldest` is the first version with the number that package.json, README and docs name. */
export type OtherNode = 'oldest' | 'too old';

const PACKAGES = { oldest: 'node-20', 'too old': 'node-18' } as const satisfies Record<OtherNode, string>;

/** Its executable. Throws what npm throws. */
export async function otherNode(which: OtherNode): Promise<string> {
  return join(await installed(), 'node_modules', `${PACKAGES[which]}-${process.arch}`, 'bin', 'node');
}

/** Two test files may do it at once: the folder appears when it is complete, and the first one stays. */
async function installed(): Promise<string> {
  const lock = createHash('sha256').update(readFileSync(join(HERE, 'package-lock.json')));
  const folder = join(CACHE, `nodes-${lock.digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const next = mkdtempSync(`${folder}.half-`);
  try {
    for (const file of FILES) copyFileSync(join(HERE, file), join(next, file));
    const flags = ['--no-audit', '--no-fund', '--no-update-notifier'];
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', ...flags], { cwd: next });
    if (!existsSync(folder)) renameSync(next, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  return folder;
}
