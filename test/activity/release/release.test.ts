// `make release`, against a real registry: what is pushed runs, is the same when it is made again, and the
// chart from the registry names it.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildTools } from '../../../deploy/local/programs/build.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { RELEASE_MODULES } from '../../../deploy/local/programs/modules.ts';
import { sha256Of } from '../../../deploy/release/archive.ts';
import { plainFor } from '../../../deploy/release/chart.ts';
import { crane, PLATFORMS, pushImage, tagOnce } from '../../../deploy/release/image.ts';
import { release, type ReleasedParts } from '../../../deploy/release/release.ts';
import { makeContents } from '../../../deploy/release/contents.ts';
import { pushBase, startRegistry, type RegistryForTests } from '../../support/servers/network/registry.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const LIBRARIES = 'node_modules/@temporalio/core-bridge/releases';
const OWN = process.arch === 'x64' ? 'linux/amd64' : 'linux/arm64';
const OTHER = OWN === 'linux/amd64' ? 'linux/arm64' : 'linux/amd64';
const SILENT = {
  say: () => undefined,
  step: <T>(_: string, work: (note: () => void) => Promise<T>) => work(() => undefined),
};
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const SOURCE = { version, commit: 'c0ffee'.repeat(6), epoch: 1_700_000_000 };

let registry: RegistryForTests;
let work: string;
let base: string;
let released: ReleasedParts;
beforeAll(async () => {
  await buildTools(SILENT, RELEASE_MODULES);
  registry = await startRegistry();
  work = mkdtempSync(join(tmpdir(), 'cappstan-release-test-'));
  const programs = [join(ROOT, LIBRARIES, PLATFORMS[OWN], 'index.node')];
  base = await pushBase(registry.address, { programs, others: [OTHER] });
  const order = { registry: `${registry.address}/team`, base, folder: join(work, 'out') };
  released = await release(order, SOURCE, SILENT);
}, 600_000);
afterAll(async () => {
  await registry?.stop();
  if (work !== undefined) rmSync(work, { recursive: true, force: true });
});

const image = (): string => `${released.repository}@${released.digest}`;

/** The folder with the file system of the image for the platform. */
async function extracted(platform: string): Promise<string> {
  const folder = join(work, platform.replace('/', '-'));
  mkdirSync(folder);
  await crane(['export', image(), `${folder}.tar`, `--platform=${platform}`]);
  await run('tar', ['-xf', `${folder}.tar`, '-C', folder]);
  return folder;
}

interface Config {
  readonly config: {
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly Env: readonly string[];
    readonly WorkingDir: string;
    readonly User: string;
  };
}

async function configOf(platform: string): Promise<Config['config']> {
  return (JSON.parse(await crane(['config', image(), `--platform=${platform}`])) as Config).config;
}

/**
 * What a process of the image says when it is started alone in the image's file system, as its user where
 * root may be another.
 */
async function started(root: string, main: string): Promise<{ code: number; said: string }> {
  const { Entrypoint, Env, WorkingDir, User } = await configOf(OWN);
  const [uid = '', gid = ''] = User.split(':');
  const as = process.getuid?.() === 0 ? [`--setuid=${uid}`, `--setgid=${gid}`] : ['--map-root-user'];
  const set = Object.fromEntries(Env.map((one) => one.split(/=(.*)/s).slice(0, 2)) as [string, string][]);
  // A runtime sets HOME; it is `/` for a user who is in no /etc/passwd.
  const env = { HOME: '/', ...set };
  const command = ['/usr/bin/unshare', ...as, `--root=${root}`, `--wd=${WorkingDir}`, ...Entrypoint, main];
  // The PATH of the image is that of the program, too, which is found inside.
  const running = run(command[0] ?? '', command.slice(1), { env });
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );
}

test('every process of the image starts in its file system, without root, and names the setting that it misses', async () => {
  const root = await extracted(OWN);
  const { Cmd } = await configOf(OWN);
  expect(Cmd).toEqual(['workers/hub/main.js']);
  const mains = readdirSync(join(root, 'app/workers'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('/main.js'),
  );
  expect(mains).toHaveLength(9);
  for (const main of mains) {
    const { code, said } = await started(root, `workers/${main}`);
    expect([main, code, said]).toEqual([
      main,
      1,
      expect.stringMatching(/is not set: set it to|set KUBECONFIG/),
    ]);
  }
  // What a hub worker loads besides: Temporal’s library, for this machine alone.
  expect(readdirSync(join(root, 'app', LIBRARIES))).toEqual([PLATFORMS[OWN]]);
  expect(readdirSync(join(root, 'app/dist'))).toEqual(['workflow-bundle.js']);
});

test('for the other kind of machine it has that machine’s library, and everything else is the same', async () => {
  const layersOf = async (platform: string): Promise<string[]> => {
    const manifest = await crane(['manifest', image(), `--platform=${platform}`]);
    return (JSON.parse(manifest) as { layers: { digest: string }[] }).layers.map(({ digest }) => digest);
  };
  const root = await extracted(OTHER);
  expect(readdirSync(join(root, 'app', LIBRARIES))).toEqual([PLATFORMS[OTHER]]);
  const [own, other] = [await layersOf(OWN), await layersOf(OTHER)];
  expect(own.filter((digest) => other.includes(digest))).toHaveLength(2);
  expect(await configOf(OTHER)).toEqual(await configOf(OWN));
});

test('the same commit gives the same digest, by whomever and whenever it is built', async () => {
  const root = join(work, 'again');
  await makeContents(root, SOURCE.epoch);
  chmodSync(join(root, 'app/package.json'), 0o600);
  cpSync(join(root, 'app/workers'), join(root, 'moved'), { recursive: true });
  rmSync(join(root, 'app/workers'), { recursive: true });
  cpSync(join(root, 'moved'), join(root, 'app/workers'), { recursive: true });
  const scratch = join(work, 'scratch');
  mkdirSync(scratch);
  const again = { root, scratch, base, repository: `${registry.address}/elsewhere/cappstan`, ...SOURCE };
  expect(await pushImage(again)).toBe(released.digest);
});

test('the chart from the registry runs exactly this image', async () => {
  const chart = `oci://${registry.address}/team/charts/cappstan`;
  const values = ['--set=temporal.address=temporal.example:7233,temporal.allowInsecure=true,hubId=hub'];
  const args = [
    'template',
    'cappstan',
    chart,
    `--version=${version}`,
    ...plainFor(registry.address),
    ...values,
  ];
  const { stdout } = await run(toolPath('helm'), args, { maxBuffer: 64 * 1024 * 1024 });
  const named = [...stdout.matchAll(/^\s+image: "?([^"\n]+)"?$/gm)].map(([, one]) => one);
  expect(named.length).toBeGreaterThan(4);
  expect([...new Set(named)]).toEqual([`${released.repository}:${version}@${released.digest}`]);
});

test('the list of its packages names every package that is in it, in its version', async () => {
  const { components } = JSON.parse(readFileSync(released.sbom, 'utf8')) as {
    components: readonly { name: string; version: string }[];
  };
  const modules = join(work, OWN.replace('/', '-'), 'app/node_modules');
  const present = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/node_modules\/)(?:@[^/]+\/)?[^@/][^/]*\/package\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(join(modules, file), 'utf8')) as { name: string; version: string })
    .map((one) => `${one.name}@${one.version}`);
  const listed = components.map((one) => `${one.name}@${one.version}`);
  expect(present.length).toBeGreaterThan(100);
  expect([...new Set(listed)].toSorted()).toEqual([...new Set(present)].toSorted());
});

test('a version is released once: the same again changes nothing, and another image does not get its tag', async () => {
  const chart = await sha256Of(released.chart);
  await tagOnce(released.repository, version, released.digest);
  const other = (await crane(['digest', image(), `--platform=${OWN}`])).trim();
  await expect(tagOnce(released.repository, version, other)).rejects.toThrow(
    /is another image already.*new version/s,
  );
  expect(await crane(['digest', `${released.repository}:${version}`])).toBe(released.digest);
  expect(await sha256Of(released.chart)).toBe(chart);
});

test('a base that is for one kind of machine alone is refused', async () => {
  const single = `${registry.address}/base@${await crane(['digest', base, `--platform=${OWN}`])}`;
  const scratch = join(work, 'single');
  mkdirSync(scratch);
  const options = {
    root: join(work, 'again'),
    scratch,
    base: single,
    repository: `${registry.address}/x`,
    ...SOURCE,
  };
  await expect(pushImage(options)).rejects.toThrow(/BASE=.* alone\. Set BASE to one that is for/);
});
