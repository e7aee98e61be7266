// A kube-apiserver for tests, with its own etcd, certificates and ports. Its folder is deleted when it stops.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layGround, type Ground } from '../ground/ground.ts';
import { untilServed } from '../ground/served.ts';
import { startIn, type FolderOptions, type ServerInFolder } from '../ground/server-in-folder.ts';

export interface ApiServerForTests extends Pick<ServerInFolder, 'kubeconfig' | 'etcd' | 'tokenKey'> {
  stop(): Promise<void>;
}

export interface ApiServerOptions extends FolderOptions {
  /** What it has from its beginning; without one, what an API server makes for itself. */
  readonly ground?: Ground;
}

const TRIES = 3;

/** Ready in a few seconds. The programs must have been built, as `make test` does first. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServerForTests> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Another test took a port between its choice and its use.
      if (tries === TRIES || !String(error).includes('address already in use')) throw error;
    }
  }
}

async function startOnce({ ground, ...options }: ApiServerOptions): Promise<ApiServerForTests> {
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-api-server-'));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    if (ground !== undefined) await layGround(ground, dir);
    const { kubeconfig, etcd, tokenKey, stop } = await startIn(dir, options);
    try {
      await untilServed(ground?.objects ?? [], kubeconfig);
    } catch (error) {
      await stop();
      throw error;
    }
    return { kubeconfig, etcd, tokenKey, stop: () => stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
