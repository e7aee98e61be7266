// HAProxy and OpenSSH's server, against which the configurations of load balancers and jump hosts are tried,
// and Spin, which checks the model of a move: those of the machine, or else the packages of its distribution,
// which apt-get downloads and checks and which are unpacked into the cache. Nothing is installed, and nobody
// needs to be root.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { markUsed, pruneAfterBuild } from './prune.ts';
import { cacheRoot } from './tools.ts';
import type { Progress } from '../terminal.ts';

const run = promisify(execFile);

/** Each program's package, and where that has it. */
const PROGRAMS = {
  haproxy: { name: 'haproxy', at: 'usr/sbin' },
  sshd: { name: 'openssh-server', at: 'usr/sbin' },
  spin: { name: 'spin', at: 'usr/bin' },
} as const;
export type DebianProgram = keyof typeof PROGRAMS;

export interface Runnable {
  /** An absolute path: sshd wants to be called by one. */
  readonly command: string;
  /** More of its environment: where its libraries are. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Downloads all if need be. Safe to repeat, and to run twice at once. Throws an Error that says what to do.
 */
export async function debianProgram(
  program: DebianProgram,
  progress: Progress,
  places: readonly string[] = searched(),
): Promise<Runnable> {
  const installed = places.map((place) => join(place, program)).find((path) => existsSync(path));
  if (installed !== undefined) return { command: installed, env: {} };
  if (!existsSync(folder())) {
    await mkdir(cacheRoot(), { recursive: true });
    await progress.step('Downloading HAProxy, the SSH server and Spin (5 MB)', install);
    const pruning = { root: cacheRoot(), part: 'debian', present: basename(folder()), now: Date.now() };
    await pruneAfterBuild(pruning, progress);
  }
  await markUsed(folder());
  return {
    command: join(folder(), PROGRAMS[program].at, program),
    env: { LD_LIBRARY_PATH: await libraries() },
  };
}

/** People other than root have no sbin on their path. */
function searched(): string[] {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
}

const FETCHING_MS = 300_000;

/**
 * The folder appears only when it is complete. Packages change with each security fix, so those that the
 * machine's own sources have today are taken.
 */
async function install(): Promise<void> {
  const next = await mkdtemp(`${folder()}.half-`);
  const packages = join(next, '.packages');
  // The lists are our own, so that neither root nor an earlier apt-get update is needed; what is signed and
  // by whom, and what is installed, is the machine's.
  const options = [
    '-qq',
    `--option=Dir::State::lists=${join(packages, 'lists')}`,
    `--option=Dir::Cache=${packages}`,
    '--option=Debug::NoLocking=1',
    '--option=APT::Sandbox::User=root',
  ];
  const given = { timeout: FETCHING_MS, env: process.env };
  try {
    await mkdir(join(packages, 'lists', 'partial'), { recursive: true });
    await mkdir(join(packages, 'archives', 'partial'), { recursive: true });
    await run('apt-get', [...options, 'update'], given);
    const wanted = ['--yes', '--no-install-recommends', '--download-only', 'install'];
    await run('apt-get', [...options, ...wanted, ...Object.values(PROGRAMS).map(({ name }) => name)], given);
    for (const name of await readdir(join(packages, 'archives')))
      if (name.endsWith('.deb')) await run('dpkg-deb', ['-x', join(packages, 'archives', name), next], given);
    await rm(packages, { recursive: true });
    await rename(next, folder());
  } catch (cause) {
    await rm(next, { recursive: true, force: true });
    // Another run was faster.
    if (existsSync(folder())) return;
    throw new Error(
      'HAProxy, an SSH server and Spin are needed and could not be had: install haproxy, sshd and spin, or run on Debian or Ubuntu, where apt-get downloads them.',
      { cause },
    );
  }
}

/** One for each distribution and kind of machine. */
function folder(): string {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const hash = createHash('sha256')
    .update(JSON.stringify([release, process.arch, PROGRAMS]))
    .digest('hex');
  return join(cacheRoot(), `debian-${hash.slice(0, 12)}`);
}

/** Folders with libraries, such as usr/lib/x86_64-linux-gnu. */
async function libraries(): Promise<string> {
  const places: string[] = [];
  for (const lib of [join(folder(), 'usr', 'lib'), join(folder(), 'lib')]) {
    if (!existsSync(lib)) continue;
    for (const { name, parentPath } of await readdir(lib, { withFileTypes: true, recursive: true }))
      if (/\.so(\.\d+)*$/.test(name)) places.push(parentPath);
  }
  return [...new Set(places)].join(delimiter);
}
