// Builds the programs of a stack where they are missing, one after the other, each module's folder appearing whole or not at all.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { go, requireGo } from './go.ts';
import { hold, type Lock } from '../supervise/lock.ts';
import type { Progress } from '../progress.ts';
import { markUsed, pruneAfterBuild } from './prune.ts';
import { BUILD_FLAGS, cacheRoot, folderOf, MODULES, sourceOf, type Build, type Module } from './tools.ts';

/** Needs Go only when something is missing. Safe to repeat and to run twice at once: the second waits. Throws what `go` throws. */
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
    progress.say(
      `Building ${builds.length} programs, once: about ${minutes} min on 2 cores, beside downloads, and 12 GB with Go’s caches. They go to ${cacheRoot()}.`,
    );
    for (const module of modules) {
      await buildModule(module, { progress, all: builds });
      const present = basename(folderOf(module));
      await pruneAfterBuild({ root: cacheRoot(), part: module.name, present, now: Date.now() }, progress);
    }
  } finally {
    await lock.release();
  }
}

function missing(wanted: readonly Module[]): Module[] {
  return wanted.filter((module) => !existsSync(folderOf(module)));
}

async function waitFor(name: string, progress: Progress): Promise<Lock> {
  const now = await hold(name);
  if (now !== null) return now;
  return progress.step('Waiting for another build of the same programs', async () => {
    for (;;) {
      const lock = await hold(name);
      if (lock !== null) return lock;
      await sleep(500);
    }
  });
}

async function buildModule(module: Module, context: { progress: Progress; all: readonly Build[] }): Promise<void> {
  const { progress, all } = context;
  const folder = folderOf(module);
  await removeHalves(module);
  const next = await mkdtemp(`${folder}.half-`);
  await mkdir(join(next, 'bin'));
  for (const build of module.builds) {
    const text = `Building ${build.tool} (${all.indexOf(build) + 1} of ${all.length})`;
    await progress.step(text, (note) => compile(module, build, { output: join(next, 'bin', build.tool), note }), {
      expectSeconds: build.seconds,
    });
  }
  for (const { module: path, folder: sub } of module.files) {
    const dir = await go({ args: ['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', path], cwd: sourceOf(module) });
    await copyYaml(join(dir.trim(), sub), join(next, 'files', path, sub));
  }
  await rename(next, folder);
}

async function compile(module: Module, build: Build, { output, note }: { output: string; note: (detail: string) => void }): Promise<void> {
  await go({
    args: ['build', '-v', ...BUILD_FLAGS, '-ldflags', module.ldflags, '-o', output, build.package],
    cwd: sourceOf(module),
    onLine: (line) => note(line.replace('go: downloading', 'downloading')),
  });
}

/** The module cache is read-only, and a copy of its modes would be too. */
async function copyYaml(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.yaml')) continue;
    const target = entry.parentPath.replace(from, to);
    await mkdir(target, { recursive: true });
    await writeFile(join(target, entry.name), await readFile(join(entry.parentPath, entry.name)));
  }
}

/** What an interrupted build left. The lock is held, so nobody is at work in them. */
async function removeHalves(module: Module): Promise<void> {
  const entries = await readdir(cacheRoot());
  const halves = entries.filter((entry) => entry.startsWith(`${module.name}-`) && entry.includes('.half-'));
  await Promise.all(halves.map((entry) => rm(join(cacheRoot(), entry), { recursive: true, force: true })));
}
