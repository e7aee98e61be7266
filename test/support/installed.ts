// Packages that only some tests need, from npm as a lock file of their own says. A checkout is installed
// without them: they are downloaded once, when a test first needs them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const FILES = ['package.json', 'package-lock.json'] as const;

/**
 * The folder with their `node_modules`. `from` has the two files, `name` is that of the folder. Two test
 * files may do it at once: the folder appears when it is complete, and the first one stays. Throws what npm
 * throws.
 */
export async function installedFrom(from: string, name: string): Promise<string> {
  const lock = createHash('sha256').update(readFileSync(join(from, 'package-lock.json')));
  const folder = join(CACHE, `${name}-${lock.digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const next = mkdtempSync(`${folder}.half-`);
  try {
    for (const file of FILES) copyFileSync(join(from, file), join(next, file));
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
