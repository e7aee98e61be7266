// The built program against a real hub, as its users run it: with a kubeconfig, as a child process, on the
// oldest Node that they may have.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { resourceOf } from '../../../../deploy/local/kubernetes/apply.ts';
import { ROLE_BINDING, RBAC_GROUP } from '../../../../crds/kubernetes/core.ts';
import { isAlreadyExists } from '../../../../kube/failure.ts';
import { forHub } from '../../servers/chart/chart.ts';
import { otherNode } from '../../nodes/nodes.ts';
import { APPS, startHub, type HubForTests } from '../hub/hub.ts';

const BUNDLE = fileURLToPath(new URL('../../../../cli/build/bundle.ts', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CliRun {
  readonly ended: Promise<Ended>;
  /** What it has written to standard output so far. */
  written(): string;
  interrupt(): void;
}

export interface CliTestbed {
  readonly hub: HubForTests;
  /** Of a tenant who may edit Capps in namespace `apps`, by the chart's roles, and nothing else. */
  readonly tenant: string;
  /** Of the hub's administrator. */
  readonly administrator: string;
  /** The kubeconfig of a user who has this ClusterRole of the chart on the whole hub, and nothing else. */
  bind(user: string, role: string): Promise<string>;
  /** Starts the program with this kubeconfig; the tenant's if not given. */
  start(args: readonly string[], options?: CliOptions): CliRun;
  run(args: readonly string[], options?: CliOptions): Promise<Ended>;
  stop(): Promise<void>;
}

/** The built program, for any hub. */
export interface BuiltProgram extends Pick<CliTestbed, 'start'> {
  remove(): Promise<void>;
}

export interface CliOptions {
  readonly kubeconfig?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: 'kubectl-capp' | 'cappstan';
}

/** It runs with the kubeconfig that it is given, and with this one otherwise. */
export async function builtProgram(usual = ''): Promise<BuiltProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'cappstan-cli-'));
  await promisify(execFile)(process.execPath, [BUNDLE, folder]);
  const node = await otherNode('oldest');
  return {
    start: (args, options) =>
      begin(node, [join(folder, options?.program ?? 'kubectl-capp'), ...args], {
        HOME: folder,
        KUBECONFIG: options?.kubeconfig ?? usual,
        PATH: process.env['PATH'] ?? '',
        ...options?.env,
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Users are known by certificates; the administrator's is the API server's own. */
export async function cliTestbed(): Promise<CliTestbed> {
  const hub = await startHub();
  await (await hub.as('tenant')).close();
  await bindTenant(hub);
  const tenant = join(dirname(hub.kubeconfig), 'tenant.kubeconfig');
  const { start, remove } = await builtProgram(tenant);
  return {
    hub,
    tenant,
    administrator: hub.kubeconfig,
    bind: (user, role) => bindUser(hub, user, role),
    start,
    run: (args, options) => start(args, options).ended,
    stop: async () => {
      await hub.stop();
      await remove();
    },
  };
}

async function bindUser(hub: HubForTests, user: string, name: string): Promise<string> {
  await (await hub.as(user)).close();
  const role = (await forHub({})).find(
    ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === name,
  );
  if (role === undefined) throw new Error(`The chart has no ClusterRole ${name}`);
  const kindOf = (kind: string) => resourceOf(hub.kube, { apiVersion: role.apiVersion ?? '', kind });
  await hub.kube.create(await kindOf('ClusterRole'), role).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  await hub.kube.create(await kindOf('ClusterRoleBinding'), {
    metadata: { name: user },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', apiGroup: RBAC_GROUP, name: user }],
  } as never);
  return join(dirname(hub.kubeconfig), `${user}.kubeconfig`);
}

async function bindTenant({ kube }: HubForTests): Promise<void> {
  const roles = (await forHub({})).filter(
    ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.startsWith('cappstan-capp-'),
  );
  for (const role of roles) {
    const { name } = role.metadata;
    await kube.create(
      await resourceOf(kube, { apiVersion: role.apiVersion ?? '', kind: role.kind ?? '' }),
      role,
    );
    await kube.create(ROLE_BINDING, {
      metadata: { name, namespace: APPS },
      roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', apiGroup: RBAC_GROUP, name: 'tenant' }],
    } as never);
  }
}

function begin(node: string, args: readonly string[], env: Readonly<Record<string, string>>): CliRun {
  const child = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, ...text }));
  });
  return { ended, written: () => text.out, interrupt: () => void child.kill('SIGINT') };
}
