// Starts a stack, runs a command against it, and stops it. Other stacks may run on the machine meanwhile.
//
// Usage: node test/e2e/with-stack.ts <command> [argument …]. CAPPSTAN_STACK tells the command the stack's
// folder. ENGINE=postgres runs Temporal on PostgreSQL, DATAPLANE=real the real data plane, AUDIT=1 writes an
// audit log.
import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argoClustersFrom } from '../../deploy/local/cappstan/argo-clusters.ts';
import { dataPlaneFrom } from '../../deploy/local/dataplane/choice.ts';
import { engineFrom } from '../../deploy/local/temporal/engine.ts';
import { progressOn } from '../../deploy/local/terminal.ts';
import { startStack } from '../../deploy/local/stack.ts';
import { DEFAULTS } from '../../deploy/local/stack-options.ts';
import { deleteStackData, stopStack } from '../../deploy/local/down.ts';

/** Folder for the logs of a failed run. */
const KEPT = join(import.meta.dirname, '..', '..', '.local', 'failed-e2e');

const [command, ...args] = process.argv.slice(2);
if (command === undefined)
  throw new Error('No command was given. Usage: node test/e2e/with-stack.ts <command> [argument …]');
const dir = process.env['CAPPSTAN_STACK'] ?? (await mkdtemp(join(tmpdir(), 'cappstan-e2e-')));
const isOurs = process.env['CAPPSTAN_STACK'] === undefined;
try {
  if (isOurs) {
    await startStack({
      dir,
      sites: 2,
      engine: engineFrom(process.env['ENGINE']),
      dataPlane: dataPlaneFrom(process.env['DATAPLANE']) ?? DEFAULTS.dataPlane,
      audit: process.env['AUDIT'] === '1',
      argo: argoClustersFrom(process.env),
      reader: true,
      owner: process.pid,
      progress: progressOn({ write: (text) => process.stderr.write(text), isTTY: false, columns: 120 }),
    });
  }
  process.exitCode = await run();
} finally {
  if (isOurs) await end();
}

function run(): Promise<number> {
  const child = spawn(command ?? '', args, {
    stdio: 'inherit',
    env: { ...process.env, CAPPSTAN_STACK: dir },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function end(): Promise<void> {
  await stopStack(dir, () => undefined);
  if (process.exitCode !== 0) {
    rmSync(KEPT, { recursive: true, force: true });
    cpSync(join(dir, 'logs'), KEPT, { recursive: true });
    console.error(`The logs of the processes are in ${KEPT}.`);
  }
  await deleteStackData(dir);
  rmSync(dir, { recursive: true, force: true });
}
