// A registry on loopback with a base image in it: this machine's Node and its libraries, as a distroless
// image has them.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { pack } from '../../../../deploy/release/archive.ts';
import { crane } from '../../../../deploy/release/image.ts';

export interface RegistryForTests {
  /** `127.0.0.1:12345` */
  readonly address: string;
  stop(): Promise<void>;
}

/** Its folder is deleted when it stops. */
export async function startRegistry(): Promise<RegistryForTests> {
  const disk = await mkdtemp(join(tmpdir(), 'cappstan-registry-'));
  const args = ['registry', 'serve', '--address=127.0.0.1:0', `--disk=${disk}`];
  const child = spawn(toolPath('crane'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
    await rm(disk, { recursive: true, force: true });
  };
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject).once('exit', () => reject(new Error('The registry ended')));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, found] = /serving on port (\d+)/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return { address: `127.0.0.1:${port}`, stop };
}

/**
 * Returns the image with its digest: for this machine, and one with an empty file for `others`. `programs`
 * are files whose libraries are wanted too.
 */
export async function pushBase(
  registry: string,
  { programs, others }: { programs: readonly string[]; others: readonly string[] },
): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'cappstan-base-'));
  try {
    const node = join(work, 'node');
    await copyTo(join(node, 'nodejs/bin/node'), process.execPath);
    for (const library of await librariesOf([process.execPath, ...programs]))
      await copyTo(join(node, library), library);
    const none = join(work, 'none');
    await mkdir(none);
    await writeFile(join(none, 'no-node-here'), '');
    const own = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const images = [await pushOne(`${registry}/base`, { root: node, platform: own })];
    for (const platform of others) images.push(await pushOne(`${registry}/base`, { root: none, platform }));
    const manifests = images.map((image) => `--manifest=${image}`);
    return await crane(['index', 'append', ...manifests, `--tag=${registry}/base:latest`]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function pushOne(
  repository: string,
  { root, platform }: { root: string; platform: string },
): Promise<string> {
  const layer = `${root}.tar.gz`;
  await pack(layer, { from: root, paths: ['.'], epoch: 1 });
  const tag = `--new_tag=${repository}:${platform.replace('/', '-')}`;
  const image = await crane(['append', '--oci-empty-base', `--new_layer=${layer}`, tag]);
  return crane(['mutate', image, `--set-platform=${platform}`]);
}

async function copyTo(target: string, source: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await cp(source, target, { dereference: true });
}

/** The files that the loader opens, itself among them. */
async function librariesOf(programs: readonly string[]): Promise<ReadonlySet<string>> {
  const printed = await Promise.all(programs.map((one) => promisify(execFile)('ldd', [one])));
  const paths = printed.flatMap(({ stdout }) =>
    [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path),
  );
  return new Set(paths);
}
