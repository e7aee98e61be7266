// `make tools`: builds the programs of a stack that are missing, one after the other, and with --for-tests
// those that only end-to-end tests run, with Envoy. A module's folder appears only when it is complete.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchEnvoy } from './envoy.ts';
import { go, requireGo } from './go.ts';
import { acquire, type ProcessLock } from '../supervise/lock.ts';
import { runCommand, type Progress } from '../terminal.ts';
import { markUsed, pruneAfterBuild } from './prune.ts';
import { cacheRoot, folderOf, sourceOf } from './tools.ts';
import { BUILD_FLAGS, MODULES, type ModuleBuild, type Module } from './modules.ts';
import { TEST_MODULES } from './optional-modules.ts';

/**
 * Needs Go only when a program is missing. Safe to repeat, and to run twice at once: the second run waits.
 * Throws what `go` throws.
 */
export async function buildTools(progress: Progress, wanted: readonly Module[] = MODULES): Promise<void> {
  await Promise.all(wanted.map((module) => markUsed(folderOf(module))));
  if (missing(wanted).length === 0) return;
  await mkdir(cacheRoot(), { recursive: true });
  const lock = await waitFor(`build ${cacheRoot()}`, progress);
  try {
    const modules = missing(wanted);
    const [first] = modules;
    if (first === undefined) return;
    await requireGo(cacheRoot());
    const builds = modules.flatMap((module) => module.builds);
    const minutes = Math.ceil(builds.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
    if (builds.length > 0)
      progress.say(
        `Building ${builds.length} programs into ${cacheRoot()}. This happens once. It takes about ${minutes} min on 2 cores, plus downloads, and 12 GB with Go’s caches.`,
      );
    fetchSources(modules);
    for (const module of modules) {
      await buildModule(module, { progress, all: builds });
      const present = basename(folderOf(module));
      await pruneAfterBuild({ root: cacheRoot(), part: module.name, present, now: Date.now() }, progress);
    }
  } finally {
    await lock.release();
  }
}

/**
 * Downloads what the next programs need while the first one compiles. A failure is left to the build that
 * needs it, which says what to do.
 */
function fetchSources(modules: readonly Module[]): void {
  const compiled = modules.filter(({ builds }) => builds.length > 0);
  for (const graph of new Set(compiled.map((module) => module.graph))) {
    const packages = compiled
      .filter((module) => module.graph === graph)
      .flatMap(({ builds }) => builds.map((build) => build.package));
    void go({ args: ['list', '-deps', '-mod=readonly', ...packages], cwd: sourceOf({ graph }) }).catch(
      () => undefined,
    );
  }
}

function missing(wanted: readonly Module[]): Module[] {
  return wanted.filter((module) => !existsSync(folderOf(module)));
}

async function waitFor(name: string, progress: Progress): Promise<ProcessLock> {
  const now = await acquire(name);
  if (now !== null) return now;
  return progress.step('Waiting for another build of the same programs', async () => {
    for (;;) {
      const lock = await acquire(name);
      if (lock !== null) return lock;
      await sleep(500);
    }
  });
}

async function buildModule(
  module: Module,
  context: { progress: Progress; all: readonly ModuleBuild[] },
): Promise<void> {
  const { progress, all } = context;
  const folder = folderOf(module);
  await removeInterrupted(module);
  const next = await mkdtemp(`${folder}.half-`);
  await mkdir(join(next, 'bin'));
  for (const build of module.builds) {
    const text = `Building ${build.tool} (${all.indexOf(build) + 1} of ${all.length})`;
    await progress.step(
      text,
      (note) => compile(module, build, { output: join(next, 'bin', build.tool), note }),
      {
        expectSeconds: build.seconds,
      },
    );
  }
  // What nothing is compiled of has not been downloaded by a compiler. go.sum has its hash.
  if (module.builds.length === 0)
    await go({
      args: ['mod', 'download', ...new Set(module.files.map((file) => file.module))],
      cwd: sourceOf(module),
    });
  for (const { module: path, folder: sub } of module.files) {
    const dir = await go({
      args: ['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', path],
      cwd: sourceOf(module),
    });
    await copyYaml(join(dir.trim(), sub), join(next, 'files', path, sub));
  }
  await rename(next, folder);
}

async function compile(
  module: Module,
  build: ModuleBuild,
  { output, note }: { output: string; note: (detail: string) => void },
): Promise<void> {
  await go({
    args: [
      'build',
      '-v',
      ...BUILD_FLAGS,
      ...tagsOf(module),
      '-ldflags',
      module.ldflags,
      '-o',
      output,
      build.package,
    ],
    cwd: sourceOf(module),
    onLine: (line) => note(line.replace('go: downloading', 'downloading')),
  });
}

function tagsOf({ tags }: Module): string[] {
  return tags === undefined ? [] : ['-tags', tags];
}

/** Not `cp`: files in the module cache are read-only, and copies of them would be too. */
async function copyYaml(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.yaml')) continue;
    const target = entry.parentPath.replace(from, to);
    await mkdir(target, { recursive: true });
    await writeFile(join(target, entry.name), await readFile(join(entry.parentPath, entry.name)));
  }
}

/** Removes what interrupted builds left. No other build runs, because the caller has the lock. */
async function removeInterrupted(module: Module): Promise<void> {
  const entries = await readdir(cacheRoot());
  const interrupted = entries.filter(
    (entry) => entry.startsWith(`${module.name}-`) && entry.includes('.half-'),
  );
  await Promise.all(
    interrupted.map((entry) => rm(join(cacheRoot(), entry), { recursive: true, force: true })),
  );
}

async function main(progress: Progress): Promise<void> {
  const isForTests = process.argv.includes('--for-tests');
  await buildTools(progress, isForTests ? [...MODULES, ...TEST_MODULES] : MODULES);
  if (isForTests) await fetchEnvoy(progress);
  progress.say(`All programs are in ${cacheRoot()}.`);
}

if (import.meta.main) await runCommand(main);
