// A kube-apiserver for tests, with its own etcd, certificates and ports. Its folder is deleted when it stops.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiServer } from '../../../deploy/local/kubernetes/api-server.ts';
import { etcd } from '../../../deploy/local/kubernetes/etcd.ts';
import { openPki } from '../../../deploy/local/kubernetes/pki.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { runProbe } from '../../../deploy/local/supervise/probe.ts';
import type { ProcessSpec } from '../../../deploy/local/supervise/process-spec.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { eventually } from '../../../testbed/eventually.ts';

export interface ApiServerForTests {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Ready in a few seconds. The programs must have been built, as `make test` does first. */
export async function startApiServer(): Promise<ApiServerForTests> {
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-api-server-'));
  await writeFile(join(dir, 'ports.json'), '{}');
  const ports = await openPorts(join(dir, 'ports.json'));
  const [clientPort, peerPort, port] = [
    await ports.of('etcd'),
    await ports.of('etcd-peer'),
    await ports.of('api-server'),
  ];
  const store = etcd({ binary: toolPath('etcd'), dataDir: join(dir, 'etcd'), clientPort, peerPort });
  const server = await apiServer({
    binary: toolPath('kube-apiserver'),
    cluster: 'test',
    port,
    etcd: store.endpoint,
    pki: await openPki(join(dir, 'pki')),
    kubeconfig: join(dir, 'kubeconfig'),
  });
  const running: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of running.toReversed()) await end(child);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    for (const spec of [store.spec, server.spec]) running.push(await begin(spec, dir));
  } catch (error) {
    await stop();
    throw error;
  }
  return { kubeconfig: server.kubeconfig, stop };
}

async function begin(spec: ProcessSpec, dir: string): Promise<ChildProcess> {
  const file = join(dir, `${spec.name}.log`);
  const log = openSync(file, 'a');
  const child = spawn(spec.command, [...spec.args], { cwd: dir, stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject).once('exit', (code) => reject(new Error(`exit code ${code}`)));
  });
  const ready = eventually(async () => ((await runProbe(spec.ready)) === 'healthy' ? true : undefined), {
    withinMs: 45_000,
    everyMs: 50,
  });
  ready.catch(() => undefined);
  ended.catch(() => undefined);
  try {
    await Promise.race([ready, ended]);
  } catch (cause) {
    await end(child);
    throw new Error(`${spec.name} did not become ready: ${readFileSync(file, 'utf8').slice(-2000)}`, {
      cause,
    });
  }
  return child;
}

/** SIGKILL, because its data is deleted anyway. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
