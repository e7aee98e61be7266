// The folder that is a whole hub: unpacked anywhere on a machine of this kind, it needs neither Go nor Node
// nor npm there.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildInto } from '../../../cli/build/bundle.ts';
import { HUB_MODULES } from '../../local/programs/modules.ts';
import { folderOf } from '../../local/programs/tools.ts';
import { bundleWorkflows, ROOT } from '../contents.ts';
import { CORE, PLATFORMS } from '../image.ts';
import type { PackageLock } from '../shipped.ts';
import { hubPackages, nodePackage } from './needed.ts';

const run = promisify(execFile);
/** What a hub runs, and what it runs it with. The programs for people are one file, in dist. */
export const HUB_SOURCES = [
  'activities',
  'admission',
  'bridge',
  'crds',
  'deploy',
  'gateway',
  'kube',
  'notify',
  'reach',
  'registrar',
  'site',
  'temporal',
  'tls',
  'types',
  'workers',
  'workflows',
  'LICENSE',
  'package.json',
];
/** Each is a script that starts the program of its name. */
const NAMES = ['cappstan', 'kubectl-capp'] as const;
const UNITS = ['cappstan-hub.service', 'cappstan-site.service'];
/** Temporal's library has a folder for each kind of machine. */
const OWN_CORE = PLATFORMS[process.arch === 'arm64' ? 'linux/arm64' : 'linux/amd64'];

/** The programs must be built. Throws what git and the bundler throw. */
export async function stageHub(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copySources(folder);
  await copyPackages(folder);
  for (const module of HUB_MODULES) {
    const from = folderOf(module);
    await cp(from, join(folder, 'programs', basename(from)), { recursive: true });
  }
  await buildInto(join(folder, 'dist'));
  // A hub worker that is given the bundle starts seconds sooner.
  await bundleWorkflows(folder);
  for (const name of NAMES) {
    await copyFile(join(import.meta.dirname, 'start.sh'), join(folder, name));
    await chmod(join(folder, name), 0o755);
  }
  for (const unit of UNITS) await copyFile(join(import.meta.dirname, unit), join(folder, unit));
}

/** Only what is in git: a checkout has more in its folders. */
async function copySources(folder: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--', ...HUB_SOURCES], {
    cwd: ROOT,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(ROOT, file), join(folder, file));
  }
}

async function copyPackages(folder: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as PackageLock;
  const paths = hubPackages(lock, process.arch, (path) => existsSync(join(ROOT, path)));
  const isOthers = (from: string): boolean =>
    dirname(from) === join(ROOT, 'node_modules', CORE) && basename(from) !== OWN_CORE;
  for (const path of paths)
    await cp(join(ROOT, path), join(folder, path), {
      recursive: true,
      // A package that lies in another one is named by itself, if it is needed.
      filter: (from) => basename(from) !== 'node_modules' && !isOthers(from),
    });
  const bin = join(folder, 'node_modules', '.bin');
  await mkdir(bin, { recursive: true });
  await symlink(join('..', nodePackage(process.arch), 'bin', 'node'), join(bin, 'node'));
}

// Usage: node deploy/release/hub/stage.ts <folder>
if (import.meta.main) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('Name the folder that the hub is put into.');
  await stageHub(folder);
}
