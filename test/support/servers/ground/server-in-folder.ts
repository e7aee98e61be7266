// An etcd and a kube-apiserver with certificates of their own in a folder, and whatever of
// kube-controller-manager is asked for.
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiServer, type ApiServer } from '../../../../deploy/local/kubernetes/api-server.ts';
import {
  controllerManager,
  type ControllerManagerOptions,
} from '../../../../deploy/local/kubernetes/controller-manager.ts';
import { etcd, type Etcd } from '../../../../deploy/local/kubernetes/etcd.ts';
import { openPki, type Pki } from '../../../../deploy/local/kubernetes/pki.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import type { ProcessSpec } from '../../../../deploy/local/supervise/process-spec.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { beginServer, endServer } from '../api/server-process.ts';

export interface FolderOptions {
  /** Those of kube-controller-manager that run beside it; without any, none runs. */
  readonly controllers?: readonly string[];
  /** The text of its EncryptionConfiguration; without one nothing is encrypted. */
  readonly encryption?: string;
  /** More of its command line. */
  readonly flags?: readonly string[];
}

export interface ServerInFolder {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** URL of its etcd. */
  readonly etcd: string;
  /** The file of the key (PEM) with which it signs tokens of ServiceAccounts. */
  readonly tokenKey: string;
  /** In the order in which they were started: etcd, the API server, the controllers. */
  readonly running: readonly ChildProcess[];
  /** Kills what runs. The folder stays. */
  stop(): Promise<void>;
}

/** Servers of tests live for seconds: a quarter of the work of such a start was collecting garbage. */
const SHORT_LIVED = { GOGC: 'off', GOMEMLIMIT: '500MiB' } as const;

/** Where its etcd keeps its data. */
export function dataOf(dir: string): string {
  return join(dir, 'etcd');
}

/**
 * What its API server is told, with neither its ports nor its folder: the same for each folder. Makes its
 * certificates there, which `startIn` uses too.
 */
export async function flagsIn(dir: string): Promise<string[]> {
  const { server } = await programsIn(dir, { clientPort: 0, peerPort: 0, port: 0 });
  return server.spec.args.map((flag) => flag.replaceAll(dir, ''));
}

/** Ready in a second or two, with what is in `dataOf(dir)` already. Throws with the end of a log. */
export async function startIn(dir: string, options: FolderOptions = {}): Promise<ServerInFolder> {
  const file = join(dir, 'ports.json');
  if (!existsSync(file)) await writeFile(file, '{}');
  const ports = await openPorts(file);
  const { store, server, pki } = await programsIn(dir, {
    clientPort: await ports.of('etcd'),
    peerPort: await ports.of('etcd-peer'),
    port: await ports.of('api-server'),
  });
  const running: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of running.toReversed()) await endServer(child);
  };
  try {
    const { controllers = [], flags = [] } = options;
    const encrypted = await encrypting(server.spec, dir, options.encryption);
    const specs = [store.spec, { ...encrypted, args: [...encrypted.args, ...flags] }];
    if (controllers.length > 0)
      specs.push(only(controllers, await ports.of('controllers'), { kubeconfig: server.kubeconfig, pki }));
    for (const spec of specs) running.push(await beginServer(spec, dir, SHORT_LIVED));
  } catch (error) {
    await stop();
    throw error;
  }
  const tokenKey = pki.serviceAccounts.privateKey;
  return { kubeconfig: server.kubeconfig, etcd: store.endpoint, tokenKey, running, stop };
}

interface PortsOfPrograms {
  readonly clientPort: number;
  readonly peerPort: number;
  readonly port: number;
}

async function programsIn(
  dir: string,
  { clientPort, peerPort, port }: PortsOfPrograms,
): Promise<{ store: Etcd; server: ApiServer; pki: Pki }> {
  const store = etcd({ binary: toolPath('etcd'), dataDir: dataOf(dir), clientPort, peerPort });
  const pki = await openPki(join(dir, 'pki'));
  const server = await apiServer({
    binary: toolPath('kube-apiserver'),
    cluster: 'test',
    port,
    etcd: store.access('/test'),
    pki,
    kubeconfig: join(dir, 'kubeconfig'),
  });
  return { store, server, pki };
}

async function encrypting(spec: ProcessSpec, dir: string, text: string | undefined): Promise<ProcessSpec> {
  if (text === undefined) return spec;
  const file = join(dir, 'encryption.yaml');
  await writeFile(file, text);
  return { ...spec, args: [...spec.args, `--encryption-provider-config=${file}`] };
}

function only(
  names: readonly string[],
  port: number,
  of: Pick<ControllerManagerOptions, 'kubeconfig' | 'pki'>,
): ProcessSpec {
  const binary = toolPath('kube-controller-manager');
  const spec = controllerManager({ binary, cluster: 'test', role: 'site', port, ...of });
  const args = spec.args.filter((arg) => !arg.startsWith('--controllers='));
  return { ...spec, args: [...args, `--controllers=${names.join(',')}`] };
}
