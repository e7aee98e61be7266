// Puts layers on a base image, for each kind of machine, and pushes both as one image. Needs no container
// engine.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolPath } from '../local/programs/tools.ts';
import { pack } from './archive.ts';

/** As registries name them, with the name of Temporal's library for each. */
export const PLATFORMS = {
  'linux/amd64': 'x86_64-unknown-linux-gnu',
  'linux/arm64': 'aarch64-unknown-linux-gnu',
} as const;

/** As in deploy/images/Dockerfile. */
export const CONFIG = {
  user: '65532:65532',
  workdir: '/app',
  entrypoint: 'node',
  cmd: 'workers/hub/main.js',
} as const;
export const ENV = { NODE_ENV: 'production', PATH: '/nodejs/bin:/usr/bin:/bin' } as const;

/** Where that library is for each, in the packages. */
export const CORE = '@temporalio/core-bridge/releases';

const MODULES = 'app/node_modules';
const LIBRARIES = `${MODULES}/${CORE}`;
/** What npm writes for itself, and programs that nothing in the image calls. */
const UNUSED = [
  `${MODULES}/.bin`,
  `${MODULES}/*/.bin`,
  `${MODULES}/.package-lock.json`,
  'app/package-lock.json',
];

export interface ImageOptions {
  /** The folder of the contents. */
  readonly root: string;
  /** For the layers. */
  readonly scratch: string;
  /** With its digest. */
  readonly base: string;
  /** `registry.example/team/cappstan`. */
  readonly repository: string;
  readonly version: string;
  /** The commit that it is made of. */
  readonly commit: string;
  readonly epoch: number;
}

/**
 * Returns the digest of the image of all platforms, which has the tag `git-<commit>` then. Safe to repeat:
 * the same commit on the same base is the same digest. Throws if the base is not there for a platform, and
 * what crane says.
 */
export async function pushImage(options: ImageOptions): Promise<string> {
  const { root: from, scratch, epoch } = options;
  const shared = [join(scratch, 'packages.tar.gz'), join(scratch, 'app.tar.gz')] as const;
  await pack(shared[0], { from, paths: [MODULES], without: [...UNUSED, LIBRARIES], epoch });
  await pack(shared[1], { from, paths: ['app'], without: [...UNUSED, MODULES], epoch });
  const images: string[] = [];
  for (const [platform, library] of Object.entries(PLATFORMS)) {
    const own = join(scratch, `${library}.tar.gz`);
    await pack(own, { from, paths: [`${LIBRARIES}/${library}`], epoch });
    images.push(await pushFor(platform, [shared[0], own, shared[1]], options));
  }
  const { repository, commit } = options;
  const manifests = images.flatMap((image) => ['--manifest', image]);
  return digestIn(
    await crane(['index', 'append', ...manifests, '--tag', `${repository}:git-${commit.slice(0, 12)}`]),
  );
}

async function pushFor(
  platform: string,
  layers: readonly string[],
  { base, repository, version, commit }: ImageOptions,
): Promise<string> {
  const labels = { version, revision: commit, licenses: 'Apache-2.0', 'base.name': base };
  const args = [
    ...layers.map((layer) => `--append=${layer}`),
    ...Object.entries(CONFIG).map(([name, value]) => `--${name}=${value}`),
    ...Object.entries(ENV).map(([name, value]) => `--env=${name}=${value}`),
    ...Object.entries(labels).map(([name, value]) => `--label=org.opencontainers.image.${name}=${value}`),
  ];
  const image = await crane(['mutate', base, `--platform=${platform}`, `--repo=${repository}`, ...args]);
  const { os, architecture } = JSON.parse(await crane(['config', image])) as {
    os: string;
    architecture: string;
  };
  if (`${os}/${architecture}` === platform) return image;
  throw new Error(
    `BASE=${base} is an image for ${os}/${architecture} alone. Set BASE to one that is for ${platform} too.`,
  );
}

/** Gives the version's tag to the image. Throws if another image has it: a version is released once. */
export async function tagOnce(repository: string, version: string, digest: string): Promise<void> {
  const present = await digestOf(`${repository}:${version}`);
  if (present === digest) return;
  if (present !== null)
    throw new Error(
      `${repository}:${version} is another image already, ${present}. Release a new version: raise it in package.json and deploy/helm/Chart.yaml.`,
    );
  await crane(['tag', `${repository}@${digest}`, version]);
}

/** null if the registry has no such image. Throws if it does not answer. */
async function digestOf(image: string): Promise<string | null> {
  try {
    return digestIn(await crane(['digest', image]));
  } catch (error) {
    if (/MANIFEST_UNKNOWN|NAME_UNKNOWN|404 Not Found/.test(String(error))) return null;
    throw error;
  }
}

function digestIn(text: string): string {
  const [digest] = /sha256:[0-9a-f]{64}/.exec(text) ?? [];
  if (digest === undefined) throw new Error(`crane named no digest, but said: ${text}`);
  return digest;
}

/** What crane prints. It uses the logins of docker, podman and helm. */
export async function crane(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(toolPath('crane'), [...args], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.trim();
}
