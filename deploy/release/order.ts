// What `make release` is asked for, and which commit it is made of.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface ReleaseOrder {
  /** `registry.example/team`: the image becomes `cappstan` there, the chart `charts/cappstan`. */
  readonly registry: string;
  /** The image with Node below ours, with its digest. */
  readonly base: string;
}

export interface ReleaseSource {
  /** Of package.json. */
  readonly version: string;
  readonly commit: string;
  /** When the commit was made, in seconds since the epoch: the time of every file that is shipped. */
  readonly epoch: number;
}

/** Reads REGISTRY and BASE. Throws an Error that says what is missing. */
export function orderFrom(env: Readonly<Record<string, string | undefined>>): ReleaseOrder {
  const { REGISTRY: registry = '', BASE: base = '' } = env;
  if (!/^\w[\w.-]*(?::\d+)?(?:\/[a-z0-9._/-]*[a-z0-9])?$/.test(registry))
    throw new Error(
      `REGISTRY=${registry} is no place in a registry. Set it to host/path without a scheme, such as registry.example/team.`,
    );
  if (!/^\S+@sha256:[0-9a-f]{64}$/.test(base))
    throw new Error(
      `BASE=${base} is not an image with its digest. Set it to a distroless Node 24 such as gcr.io/distroless/nodejs24-debian12:nonroot@sha256:… (docs/release.md says how to learn the digest).`,
    );
  return { registry, base };
}

/** Throws if the checkout differs from its commit: nobody could make the same again. */
export async function sourceOf(root: string): Promise<ReleaseSource> {
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();
  const changed = await git('status', '--porcelain');
  if (changed !== '')
    throw new Error(`The checkout differs from its commit. Commit or remove this first:\n${changed}`);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    version,
    commit: await git('rev-parse', 'HEAD'),
    epoch: Number(await git('log', '-1', '--format=%ct')),
  };
}
