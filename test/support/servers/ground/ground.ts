// What many files of tests begin with, such as an API server that serves our kinds: laid once for each
// version of it, and kept as the data of an etcd, from which the servers of these files start
// (docs/decisions/0129).
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import { endServer } from '../api/server-process.ts';
import { dataOf, flagsIn, startIn } from './server-in-folder.ts';

export interface Ground {
  /** All that is laid: other objects are another ground. */
  readonly objects: readonly KubeObject[];
  /** Resolves when the objects are there and their kinds are served. */
  lay(kube: Kube): Promise<void>;
}

const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/cappstan');

/**
 * What each cluster makes for itself when it starts, and no two may share: by the uid of kube-system a
 * cluster is known, and a ConfigMap has the authorities that it trusts. Keys of etcd.
 */
const OWN = ['namespaces/kube-system', 'configmaps/kube-system/', 'leases/kube-system/'].map(
  (key) => `/test/${key}`,
);

/**
 * Whoever changes how grounds are laid, and not what, counts it up: what was laid before is not used then.
 */
const HOW = 1;

const run = promisify(execFile);

/** Makes the data of an etcd in `dataOf(dir)`. Several processes may ask for the same at once. */
export async function layGround(ground: Ground, dir: string): Promise<void> {
  const kept = join(CACHE, `ground-${versionOf(ground, await flagsIn(dir))}`);
  if (!existsSync(kept)) await make(ground, kept);
  await copy(kept, dataOf(dir));
}

/** Another one for all that decides what a ground is. `flags` are those of the API server that lays it. */
export function versionOf({ objects }: Pick<Ground, 'objects'>, flags: readonly string[]): string {
  const programs = ['etcd', 'kube-apiserver'] as const;
  const all = [programs.map((name) => toolPath(name)), OWN, HOW, flags, objects];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 20);
}

async function make(ground: Ground, kept: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-ground-'));
  try {
    await lay(ground, dir);
    await mkdir(CACHE, { recursive: true });
    const half = `${kept}.${randomUUID()}`;
    await copy(dataOf(dir), half);
    // Another process may have been faster.
    await rename(half, kept).catch(() => rm(half, { recursive: true }));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function lay(ground: Ground, dir: string): Promise<void> {
  const { kubeconfig, etcd, running, stop } = await startIn(dir);
  try {
    const kube = connect({ kubeconfig, deadlineMs: API_TIMEOUT_MS });
    try {
      await ground.lay(kube);
    } finally {
      await kube.close();
    }
    const [store, server] = running;
    if (store === undefined || server === undefined) throw new Error('The servers of a ground do not run.');
    await endServer(server);
    for (const key of OWN) await deleteFrom(etcd, key);
    await endServer(store, 'SIGTERM');
  } finally {
    await stop();
  }
}

/** All keys that begin so. Throws what etcd answers when it refuses. */
async function deleteFrom(etcd: string, prefix: string): Promise<void> {
  const end = `${prefix.slice(0, -1)}${String.fromCodePoint((prefix.codePointAt(prefix.length - 1) ?? 0) + 1)}`;
  const answer = await fetch(`${etcd}/v3/kv/deleterange`, {
    method: 'POST',
    body: JSON.stringify({ key: btoa(prefix), range_end: btoa(end) }),
  });
  if (!answer.ok) throw new Error(`etcd does not delete ${prefix}: ${await answer.text()}`);
}

/** etcd keeps a log of 64 MiB ready, which is empty but for its beginning. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-r', '--sparse=always', from, to]);
}
