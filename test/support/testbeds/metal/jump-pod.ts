// Runs the Pod of a jump host's Deployment as a process, with the sshd_config of our image and a real sshd:
// its volumes are where the Pod template mounts them, with the owners and modes that a kubelet gives them.
//
// It needs user namespaces, or root. For root the process is the user 1000, and its files are root's, as in a
// Pod; otherwise a user namespace makes its own user 1000, to whom the files belong.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LoadBalancerObjects } from '../../../../activities/hub/metal/services/load-balancer.ts';
import type { Runnable } from '../../../../deploy/local/programs/debian.ts';
import { eventually } from '../../../../testbed/eventually.ts';

const SSHD_CONFIG = join(import.meta.dirname, '../../../../deploy/images/jump-host/sshd_config');
const FS_GROUP = 1000;
const IS_ROOT = process.getuid?.() === 0;

interface Source {
  readonly secretName?: string;
  readonly name?: string;
  readonly optional?: boolean;
  readonly defaultMode?: number;
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}
interface PodSpec {
  readonly hostAliases: readonly { readonly ip: string; readonly hostnames: readonly string[] }[];
  readonly containers: readonly {
    readonly volumeMounts: readonly {
      readonly name: string;
      readonly mountPath: string;
      readonly subPath?: string;
    }[];
  }[];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: Source;
    readonly configMap?: Source;
  }[];
}

export interface JumpPod {
  readonly port: number;
  /** What sshd has said. */
  log(): string;
  stop(): void;
}

/** Text of each key by "Kind/name". */
export type Stored = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** `more` is what the Pod mounts beside what is made for it. */
export async function startJumpPod(
  made: LoadBalancerObjects,
  more: Stored,
  sshd: Runnable,
  port: number,
): Promise<JumpPod> {
  const dir = mkdtempSync(join(tmpdir(), 'cappstan-jump-'));
  const { spec } = podOf(made);
  const stored = { ...storedOf(made), ...more };
  for (const volume of spec.volumes) fill(join(dir, volume.name), volume, stored);
  const script = join(dir, 'run.sh');
  writeFileSync(script, scriptFor(dir, spec, { sshd, port }));
  const child = spawn('unshare', [...(IS_ROOT ? ['--mount'] : ['-Urm']), 'sh', '-eu', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const stop = (): void => {
    end(child);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await eventually(() => reached(child, port, () => log), { withinMs: 30_000 });
  } catch (error) {
    stop();
    throw new Error(`sshd does not answer: ${log}`, { cause: error });
  }
  return { port, log: () => log, stop };
}

function end({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function reached(child: ChildProcess, port: number, log: () => string): Promise<true> {
  return new Promise((resolve, reject) => {
    if (child.exitCode !== null) return reject(new Error(`it has ended: ${log()}`));
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', reject);
    return undefined;
  });
}

function podOf(made: LoadBalancerObjects): { readonly spec: PodSpec } {
  const found = made.find(({ resource }) => resource.kind === 'Deployment');
  if (found === undefined) throw new Error('there is no Deployment');
  return (found.object as unknown as { spec: { template: { spec: PodSpec } } }).spec.template;
}

function storedOf(made: LoadBalancerObjects): Stored {
  return Object.fromEntries(
    made.flatMap(({ resource: { kind }, object }) => {
      const { data = {} } = object as { data?: Readonly<Record<string, string>> };
      const text = (value: string) =>
        kind === 'Secret' ? Buffer.from(value, 'base64').toString('utf8') : value;
      const texts = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, text(value)]));
      return kind === 'Secret' || kind === 'ConfigMap' ? [[`${kind}/${object.metadata.name}`, texts]] : [];
    }),
  );
}

/** A kubelet adds what the group of the Pod needs to read it. */
function fill(place: string, { secret, configMap }: PodSpec['volumes'][number], stored: Stored): void {
  mkdirSync(place, { mode: 0o755 });
  const { defaultMode = 0o644, items, optional = false } = secret ?? configMap ?? {};
  const key = secret === undefined ? `ConfigMap/${configMap?.name}` : `Secret/${secret.secretName}`;
  const texts = stored[key];
  if (texts === undefined && !optional) throw new Error(`there is no ${key}`);
  for (const [path, text] of filesOf(texts ?? {}, items)) {
    const file = join(place, path);
    writeFileSync(file, text);
    if (IS_ROOT) chownSync(file, 0, FS_GROUP);
    chmodSync(file, IS_ROOT ? defaultMode | 0o440 : defaultMode & 0o700);
  }
}

/** Path and text of each. Of items, those that are there: only an optional volume may lack one. */
function filesOf(texts: Readonly<Record<string, string>>, items: Source['items']): [string, string][] {
  if (items === undefined) return Object.entries(texts);
  return items.flatMap(({ key, path }): [string, string][] => {
    const text = texts[key];
    return text === undefined ? [] : [[path, text]];
  });
}

function scriptFor(
  dir: string,
  spec: PodSpec,
  run: { readonly sshd: Runnable; readonly port: number },
): string {
  const { sshd, port } = run;
  writeFileSync(
    join(dir, 'passwd'),
    'root:x:0:0:root:/root:/bin/sh\nsshd:x:101:65534::/run/sshd:/usr/sbin/nologin\nubuntu:x:1000:1000::/home/ubuntu:/bin/bash\n',
  );
  const aliases = spec.hostAliases.map(({ ip, hostnames }) => `${ip} ${hostnames.join(' ')}`);
  writeFileSync(join(dir, 'hosts'), `127.0.0.1 localhost\n${aliases.join('\n')}\n`);
  const [container] = spec.containers;
  const mounts = (container?.volumeMounts ?? []).flatMap(({ name, mountPath, subPath }) => {
    const from = subPath === undefined ? join(dir, name) : join(dir, name, subPath);
    const place =
      subPath === undefined ? `mkdir -p ${mountPath}` : `mkdir -p ${dirname(mountPath)}; touch ${mountPath}`;
    return [place, `mount --bind ${from} ${mountPath}`];
  });
  const owner = IS_ROOT ? '1000:1000' : '0:0';
  const as = IS_ROOT
    ? 'setpriv --reuid 1000 --regid 1000 --clear-groups'
    : 'unshare -U --map-user=1000 --map-group=1000';
  // The programs may be in a home that the user 1000 may not enter.
  const programs = sshd.command.replace(/\/usr\/sbin\/sshd$/, '') || '/';
  const libraries = (sshd.env['LD_LIBRARY_PATH'] ?? '').replaceAll(programs, '/opt/programs');
  return [
    'mount --make-rprivate / 2>/dev/null || true',
    'for place in /home /opt /etc/opt; do mount -t tmpfs -o mode=755 none $place; done',
    'mkdir -p /home/ubuntu/.ssh /etc/opt/sip /opt/programs',
    `chown -R ${owner} /home/ubuntu; chmod 0700 /home/ubuntu/.ssh`,
    `mount --bind ${dir}/passwd /etc/passwd; mount --bind ${dir}/hosts /etc/hosts`,
    `mount --rbind ${programs} /opt/programs`,
    `cp ${SSHD_CONFIG} /opt/sshd_config`,
    ...mounts,
    `exec ${as} env -i LD_LIBRARY_PATH=${libraries} /opt/programs/usr/sbin/sshd -D -e -f /opt/sshd_config -p ${port}`,
    '',
  ].join('\n');
}
