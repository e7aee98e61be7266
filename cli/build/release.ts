// Makes the release form of the program: one executable for this machine's system that needs no Node, and the
// krew manifest that names it. `make cli-release`.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildInto, ROOT } from './bundle.ts';
import { krewManifest } from './krew.ts';

const run = promisify(execFile);
const PROGRAM = 'kubectl-capp';
/** Puts the program into Node's own executable: https://nodejs.org/api/single-executable-applications.html */
const POSTJECT = 'postject@1.0.0-alpha.6';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** Where releases are downloaded from; a release sets it. */
const DOWNLOADS = process.env['RELEASE_URL'] ?? 'https://downloads.example/cappstan';

/** Writes the archive and `capp.yaml` into the folder. Throws what the tools throw. */
async function release(folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'cappstan-release-'));
  try {
    await buildInto(work);
    const executable = await executableIn(work);
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const { arch } = process;
    const archive = `${PROGRAM}-${version}-linux-${arch}.tar.gz`;
    await mkdir(folder, { recursive: true });
    await copyFile(join(ROOT, 'LICENSE'), join(work, 'LICENSE'));
    await run('tar', ['-czf', join(folder, archive), '-C', work, executable, 'LICENSE']);
    const sha256 = createHash('sha256')
      .update(await readFile(join(folder, archive)))
      .digest('hex');
    const platform = { arch: arch === 'x64' ? 'amd64' : arch, uri: `${DOWNLOADS}/${archive}`, sha256 };
    await writeFile(join(folder, 'capp.yaml'), krewManifest(version, [platform]));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Replaces the script by an executable of the same name. */
async function executableIn(work: string): Promise<string> {
  const script = join(work, PROGRAM);
  const main = join(work, 'main.js');
  const blob = join(work, 'program.blob');
  await copyFile(script, main);
  const config = { main, output: blob, disableExperimentalSEAWarning: true };
  await writeFile(join(work, 'sea.json'), JSON.stringify(config));
  await run(process.execPath, ['--experimental-sea-config', join(work, 'sea.json')]);
  // It is a link, and the executable would be written over what it leads to.
  await rm(script);
  await copyFile(process.execPath, script);
  await chmod(script, 0o755);
  // Without its symbols it is a seventh smaller.
  await run('strip', [script]).catch(() => undefined);
  await run('npx', [
    '--yes',
    '--ignore-scripts',
    POSTJECT,
    script,
    'NODE_SEA_BLOB',
    blob,
    '--sentinel-fuse',
    FUSE,
  ]);
  return PROGRAM;
}

if (import.meta.main) await release(process.argv[2] ?? join(ROOT, 'dist', 'release'));
