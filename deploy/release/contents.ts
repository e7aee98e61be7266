// What is in the image beside its base: our sources as JavaScript, the bundle of the workflows, and the
// packages.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { normalised, withoutTools } from './sbom.ts';

export const ROOT = join(import.meta.dirname, '../..');

export interface Contents {
  /** Becomes the root of the image's file system. Everything is in its folder `app`. */
  readonly folder: string;
  /** CycloneDX, of the packages in the image. */
  readonly sbom: string;
}

const run = promisify(execFile);
const LARGE = { maxBuffer: 64 * 1024 * 1024 };

/** As deploy/images/Dockerfile does. Needs npm's registry or its cache. Throws what the tools throw. */
export async function makeContents(folder: string, epoch: number): Promise<Contents> {
  const app = join(folder, 'app');
  await mkdir(app, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) await copyFile(join(ROOT, file), join(app, file));
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error', '--prefer-offline'];
  await run('npm', ['ci', '--ignore-scripts', '--omit=dev', '--omit=optional', ...quiet], { cwd: app });
  // Not with --omit: npm takes that for everything that our tools need too, which is most of it.
  await writeFile(
    join(app, 'package.json'),
    withoutTools(await readFile(join(ROOT, 'package.json'), 'utf8')),
  );
  const { stdout } = await run('npm', ['sbom', '--sbom-format=cyclonedx'], { cwd: app, ...LARGE });
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'deploy/images', '--outDir', app], { cwd: ROOT });
  await bundleWorkflows(app);
  return { folder, sbom: normalised(stdout, epoch) };
}

/** Writes dist/workflow-bundle.js in the folder. Throws what the bundler throws. */
export async function bundleWorkflows(folder: string): Promise<void> {
  const bundle = join(folder, 'dist/workflow-bundle.js');
  await run(process.execPath, [join(ROOT, 'workers/hub/bundle.ts'), bundle], { cwd: ROOT });
}
