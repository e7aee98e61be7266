// The ports of one stack: free ones on loopback, chosen once and remembered, since kubeconfigs and OCM's credentials name them.
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { readJson, writeJson } from './supervise/json-file.ts';

/** Below the range from which systems take ports for outgoing connections, which could otherwise sit on one of ours after a restart. */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const ATTEMPTS = 500;

export interface Ports {
  /** The port of this name, in 1..65535: the remembered one, else the one wished for if it is free, else any free one. */
  of(name: string): Promise<number>;
  /** Every name and its port so far. */
  all(): Readonly<Record<string, number>>;
}

/** Throws an Error from `of` when no port can be found. Calls to `of` must not overlap with those of another process for the same file. */
export async function openPorts(file: string, wishes: Readonly<Record<string, number>> = {}): Promise<Ports> {
  const chosen = (await readJson<Record<string, number>>(file)) ?? {};
  let turn = Promise.resolve();
  const choose = async (name: string): Promise<number> => {
    const wish = wishes[name];
    const known = chosen[name];
    if (known !== undefined) return known;
    const taken = new Set(Object.values(chosen));
    const port = wish !== undefined && !taken.has(wish) && (await isFree(wish)) ? wish : await anyFree(taken);
    chosen[name] = port;
    writeJson(file, chosen);
    return port;
  };
  return {
    of(name) {
      const result = turn.then(() => choose(name));
      turn = result.then(
        () => undefined,
        () => undefined,
      );
      return result;
    },
    all: () => ({ ...chosen }),
  };
}

/** Whether somebody could listen on this port of 127.0.0.1 now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

async function anyFree(taken: ReadonlySet<number>): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error(`No free port between ${LOWEST} and ${HIGHEST} on 127.0.0.1 after ${ATTEMPTS} tries: stop something that listens there.`);
}
