// A server for tests as a child of theirs.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProbe } from '../../../../deploy/local/supervise/probe.ts';
import type { ProcessSpec } from '../../../../deploy/local/supervise/process-spec.ts';
import { eventually } from '../../../../testbed/eventually.ts';

/**
 * Resolves when it is ready. Its log is in `dir`; what ends too early is thrown with the log's end. `env` is
 * its environment beside ours.
 */
export async function beginServer(
  spec: ProcessSpec,
  dir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const file = join(dir, `${spec.name}.log`);
  const log = openSync(file, 'a');
  const child = spawn(spec.command, [...spec.args], {
    cwd: dir,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...env },
  });
  closeSync(log);
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject).once('exit', (code) => reject(new Error(`exit code ${code}`)));
  });
  const ready = eventually(async () => ((await runProbe(spec.ready)) === 'healthy' ? true : undefined), {
    withinMs: 200_000,
    everyMs: 50,
  });
  ready.catch(() => undefined);
  ended.catch(() => undefined);
  try {
    await Promise.race([ready, ended]);
  } catch (cause) {
    await endServer(child);
    throw new Error(`${spec.name} did not become ready: ${readFileSync(file, 'utf8').slice(-2000)}`, {
      cause,
    });
  }
  return child;
}

/** SIGKILL, because its data is deleted anyway. What has ended by itself is no error. */
export async function endServer(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
