// The network of a site: a bridge, and for each Pod and each part of the data plane a network namespace with
// an address of its own. So no two of them share a port.
//
// Only for processes inside the namespaces of a site (namespaces.ts).
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runCommandLine } from './command.ts';

/** The address of the bridge: the site's own processes listen there. */
export const GATEWAY = '10.244.0.1';
const MASK = 16;
/**
 * As in the API server's --service-cluster-ip-range. All of it is local, so that a process can listen on
 * each.
 */
const CLUSTER_IPS = '10.0.0.0/24';
const RESOLVER = `nameserver ${GATEWAY}\nsearch svc.cluster.local cluster.local\noptions ndots:5\n`;

export interface Sandbox {
  readonly ip: string;
  /** Starts a program in it, without the variables of this process but PATH and HOME. */
  start(program: SandboxProgram): ChildProcess;
  /** Safe to repeat. What still runs in it loses its network. */
  remove(): Promise<void>;
}

export interface SandboxProgram {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file that gets its output. */
  readonly log: string;
}

export interface Network {
  newSandbox(): Promise<Sandbox>;
}

/**
 * Makes the bridge, and names resolve at it. `dir` takes small files. Throws what `runCommandLine` throws.
 */
export async function openNetwork(dir: string): Promise<Network> {
  const folder = resolve(dir, 'sandboxes');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await ip([
    'link set lo up',
    'link add br0 type bridge',
    `addr add ${GATEWAY}/${MASK} dev br0`,
    'link set br0 up',
    `route add local ${CLUSTER_IPS} dev lo`,
  ]);
  const resolver = resolve(dir, 'resolv.conf');
  writeFileSync(resolver, RESOLVER);
  await runCommandLine(['mount', '--bind', resolver, '/etc/resolv.conf']);
  let count = 0;
  return {
    newSandbox: () => {
      count += 1;
      return newSandbox(folder, count);
    },
  };
}

async function newSandbox(folder: string, number: number): Promise<Sandbox> {
  const address = addressOf(number);
  const outside = `veth${number}`;
  const path = join(folder, String(number));
  writeFileSync(path, '');
  await runCommandLine(['unshare', '--net', 'mount', '--bind', '/proc/self/ns/net', path]);
  await ip([
    `link add ${outside} type veth peer name eth0 netns ${path}`,
    `link set ${outside} master br0 up`,
  ]);
  await ip(
    [
      'link set lo up',
      `addr add ${address}/${MASK} dev eth0`,
      'link set eth0 up',
      `route add default via ${GATEWAY}`,
    ],
    path,
  );
  let isThere = true;
  return {
    ip: address,
    start: (program) => startIn(path, program),
    remove: async () => {
      if (!isThere) return;
      isThere = false;
      await ip([`link del ${outside}`]);
      await runCommandLine(['umount', path]);
      await rm(path);
    },
  };
}

function startIn(path: string, { command, args = [], env = {}, log }: SandboxProgram): ChildProcess {
  const { PATH = '', HOME = '/' } = process.env;
  const output = openSync(log, 'a', 0o600);
  try {
    return spawn('nsenter', [`--net=${path}`, command, ...args], {
      env: { PATH, HOME, ...env },
      stdio: ['ignore', output, output],
    });
  } finally {
    closeSync(output);
  }
}

/** 10.244.0.2 and so on, and again from the start after 64,000: Pods live shorter than that. */
function addressOf(number: number): string {
  const host = 2 + ((number - 1) % 64_000);
  return `10.244.${host >> 8}.${host & 255}`;
}

/** Runs these commands of ip, in the namespace at `path` if given. */
async function ip(lines: readonly string[], path?: string): Promise<void> {
  const enter = path === undefined ? [] : ['nsenter', `--net=${path}`];
  await runCommandLine([...enter, 'ip', '-batch', '-'], `${lines.join('\n')}\n`);
}
