// Reads the README and pages of docs as a newcomer does: in a clean clone of the last commit, with nothing of
// this checkout on the PATH, from `make up` on, command by command. It stops at the first command that fails.
//
// Usage: node test/newcomer/run.ts [page …]. The README's first block is always run.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { commandsOf } from './blocks.ts';
import { PAGES } from './pages.ts';
import { scriptOf } from './script.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** Folder for the logs of a failed run. */
const KEPT = join(ROOT, '.local', 'failed-newcomer');

/** What the page before has left in a reader's shell. */
const SAME_SHELL =
  'make up && export KUBECONFIG=$PWD/.local/hub.kubeconfig && source .local/env && export PATH="$PWD/dist:$PATH"';

/** Longer than any page takes. */
const LIMIT_MS = 40 * 60_000;
const ENDLESS =
  'The command above did not end within 40 minutes. If it goes on until its reader ends it, name it in pages.ts as endless or left';

const asked = process.argv.slice(2);
const clone = mkdtempSync(join(tmpdir(), 'cappstan-newcomer-'));
try {
  await bash(`git clone --quiet ${ROOT} ${clone}`, ROOT);
  for (const page of PAGES.filter(({ file }) => asked.length === 0 || asked.includes(file))) {
    const script = scriptOf(page, commandsOf(readFileSync(join(clone, page.file), 'utf8')));
    await bash(page.file === 'README.md' ? script : `${SAME_SHELL}\n${script}`, clone);
  }
  console.log('Every command of these pages does what it says.');
} catch (error) {
  cpSync(join(clone, '.local', 'logs'), KEPT, { recursive: true });
  console.error(`${String(error)}. The logs of the processes are in ${KEPT}.`);
  process.exitCode = 1;
} finally {
  await bash('make down CLEAN=1', clone).catch(() => undefined);
  rmSync(clone, { recursive: true, force: true });
}

function bash(script: string, cwd: string): Promise<void> {
  const child = spawn('bash', ['-c', script], {
    cwd,
    env: ownEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const limit = setTimeout(() => child.kill(), LIMIT_MS);
  return new Promise<void>((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => {
      if (code === 0) done();
      else if (code === null) failed(new Error(ENDLESS));
      else failed(new Error(`The command above ended with ${code}`));
    });
  }).finally(() => clearTimeout(limit));
}

/** The environment of a shell that has never heard of this checkout: without what its Makefile exports. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(STATE|SITES|DATAPLANE|CLEAN|PAGES|KUBECONFIG|MAKE\w*|MFLAGS|NODE_\w*CACHE|CAPPSTAN_\w+)$/;
  const others = Object.entries(process.env).filter(([name]) => !ours.test(name));
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const elsewhere = path.filter((folder) => !resolve(folder).startsWith(`${ROOT}/`));
  return { ...Object.fromEntries(others), PATH: elsewhere.join(delimiter) };
}
