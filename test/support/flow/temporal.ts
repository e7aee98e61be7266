// A Temporal development server for tests, with its own database, ports and folder, which are deleted when it
// stops.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { runProbe } from '../../../deploy/local/supervise/probe.ts';
import { temporal, type DevTemporal } from '../../../deploy/local/temporal/dev-server.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { CAPP_NAMESPACE, CAPP_PHASE, CAPP_SITE } from '../../../workflows/names.ts';
import { eventually } from '../../../testbed/eventually.ts';

export interface TemporalOptions {
  /** Beside `default`; activities go to fixed queues, so each test file has a namespace of its own. */
  readonly namespaces?: readonly string[];
  /** Dynamic configuration as JSON values; eager activities are on unless it says otherwise. */
  readonly dynamicConfig?: Readonly<Record<string, string>>;
}

export interface TemporalForTests {
  /** host:port. */
  readonly address: string;
  /** URL of what it counts, as Prometheus reads it. */
  readonly metrics: string;
  stop(): Promise<void>;
}

/**
 * Ready in a second or two. Takes the binary that the local stack builds, or TEMPORAL_BIN. Throws an Error
 * with the end of its log.
 */
export async function startTemporal({
  namespaces = [],
  dynamicConfig = {},
}: TemporalOptions = {}): Promise<TemporalForTests> {
  const binary = process.env['TEMPORAL_BIN'] ?? toolPath('temporal');
  if (!existsSync(binary))
    throw new Error(`${binary} does not exist. Run "make tools", or set TEMPORAL_BIN.`);
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-temporal-'));
  const ports = await openPorts(join(dir, 'ports.json'));
  const metricsPort = await ports.of('metrics');
  const server = temporal({
    binary,
    database: join(dir, 'temporal.db'),
    port: await ports.of('temporal'),
    uiPort: await ports.of('ui'),
    httpPort: await ports.of('http'),
    metricsPort,
    keywords: [CAPP_NAMESPACE, CAPP_SITE, CAPP_PHASE],
    dynamicConfig,
  });
  const args = namespaces.map((name) => `--namespace=${name}`);
  const metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  return { address: server.address, metrics, stop: await runTemporal(server, dir, args) };
}

/**
 * Starts it, waits until it is ready, and returns how to stop it, which deletes the folder. Throws an Error
 * with the end of its log.
 */
export async function runTemporal(
  { spec }: DevTemporal,
  dir: string,
  args: readonly string[] = [],
): Promise<() => Promise<void>> {
  const logFile = join(dir, 'temporal.log');
  const log = openSync(logFile, 'a');
  const child = spawn(spec.command, [...spec.args, ...args], { cwd: dir, stdio: ['ignore', log, log] });
  closeSync(log);
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await eventually(() => isReady(child, spec.ready), { withinMs: 200_000, everyMs: 50 });
  } catch (cause) {
    const said = readFileSync(logFile, 'utf8').slice(-2000);
    await stop();
    throw new Error(`Temporal did not become ready. The end of its log:\n${said}`, { cause });
  }
  return stop;
}

async function isReady(
  child: ChildProcess,
  probe: Parameters<typeof runProbe>[0],
): Promise<true | undefined> {
  if (child.exitCode !== null || child.pid === undefined) throw new Error('Temporal has ended.');
  return (await runProbe(probe)) === 'healthy' ? true : undefined;
}

/** SIGKILL, because its data is deleted anyway. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
