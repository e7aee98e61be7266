// A kube-apiserver for tests, with its own etcd, certificates and ports. Its folder is deleted when it stops.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiServer } from '../../../../deploy/local/kubernetes/api-server.ts';
import {
  controllerManager,
  type ControllerManagerOptions,
} from '../../../../deploy/local/kubernetes/controller-manager.ts';
import { etcd } from '../../../../deploy/local/kubernetes/etcd.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import type { ProcessSpec } from '../../../../deploy/local/supervise/process-spec.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { beginServer, endServer } from './server-process.ts';

export interface ApiServerForTests {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Of its etcd, which also answers JSON. */
  readonly etcd: string;
  /** The file of the key (PEM) with which it signs tokens of ServiceAccounts. */
  readonly tokenKey: string;
  stop(): Promise<void>;
}

export interface ApiServerOptions {
  /** Those of kube-controller-manager that run beside it; without any, none runs. */
  readonly controllers?: readonly string[];
  /** The text of its EncryptionConfiguration; without one nothing is encrypted. */
  readonly encryption?: string;
  /** More of its command line. */
  readonly flags?: readonly string[];
}

const TRIES = 3;

/** Ready in a few seconds. The programs must have been built, as `make test` does first. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServerForTests> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Another test took a port between its choice and its use.
      if (tries === TRIES || !String(error).includes('address already in use')) throw error;
    }
  }
}

async function startOnce(options: ApiServerOptions): Promise<ApiServerForTests> {
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-api-server-'));
  await writeFile(join(dir, 'ports.json'), '{}');
  const ports = await openPorts(join(dir, 'ports.json'));
  const [clientPort, peerPort, port] = [
    await ports.of('etcd'),
    await ports.of('etcd-peer'),
    await ports.of('api-server'),
  ];
  const store = etcd({ binary: toolPath('etcd'), dataDir: join(dir, 'etcd'), clientPort, peerPort });
  const pki = await openPki(join(dir, 'pki'));
  const server = await apiServer({
    binary: toolPath('kube-apiserver'),
    cluster: 'test',
    port,
    etcd: store.access('/test'),
    pki,
    kubeconfig: join(dir, 'kubeconfig'),
  });
  const running: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of running.toReversed()) await endServer(child);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const { controllers = [], flags = [] } = options;
    const encrypted = await encrypting(server.spec, dir, options.encryption);
    const specs = [store.spec, { ...encrypted, args: [...encrypted.args, ...flags] }];
    if (controllers.length > 0)
      specs.push(only(controllers, await ports.of('controllers'), { kubeconfig: server.kubeconfig, pki }));
    for (const spec of specs) running.push(await beginServer(spec, dir));
  } catch (error) {
    await stop();
    throw error;
  }
  const tokenKey = pki.serviceAccounts.privateKey;
  return { kubeconfig: server.kubeconfig, etcd: store.endpoint, tokenKey, stop };
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
