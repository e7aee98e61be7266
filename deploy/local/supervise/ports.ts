// The ports of one stack, on loopback. They are chosen once and stored, because kubeconfigs and OCM's
// credentials name them.
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { readJson, writeJson } from './json-file.ts';

/**
 * The range is below the ephemeral ports, so that no outgoing connection can take one of ours while a process
 * restarts.
 */
const WHOLE = { lowest: 20_000, highest: 32_000 } as const;
const MOST_PORTS = 65_536;
const ATTEMPTS = 500;
const LOOPBACK = '127.0.0.1';

export interface Ports {
  /**
   * The stored port of this name; else the preferred one if it is free; else any free one. `hosts` are the
   * loopback addresses that it is for; 127.0.0.1 if not given.
   */
  of(name: string, hosts?: readonly string[]): Promise<number>;
  /** All names and their ports. */
  all(): Readonly<Record<string, number>>;
}

/**
 * `of` throws when it finds no free port, and chooses none of `apart`. No two processes may call `of` for the
 * same file at a time.
 */
export async function openPorts(
  file: string,
  preferred: Readonly<Record<string, number>> = {},
  apart: readonly number[] = [],
): Promise<Ports> {
  const chosen = (await readJson<Record<string, number>>(file)) ?? {};
  let turn = Promise.resolve();
  const choose = async (name: string, hosts: readonly string[]): Promise<number> => {
    const preference = preferred[name];
    const known = chosen[name];
    if (known !== undefined) return known;
    const taken = new Set([...Object.values(chosen), ...apart]);
    const port =
      preference !== undefined && !taken.has(preference) && (await isFreeOn(hosts, preference))
        ? preference
        : await anyFree(taken, hosts);
    chosen[name] = port;
    writeJson(file, chosen);
    return port;
  };
  return {
    of(name, hosts = [LOOPBACK]) {
      const result = turn.then(() => choose(name, hosts));
      turn = result.then(
        () => undefined,
        () => undefined,
      );
      return result;
    },
    all: () => ({ ...chosen }),
  };
}

async function isFreeOn(hosts: readonly string[], port: number): Promise<boolean> {
  for (const host of hosts) if (!(await isFree(port, host))) return false;
  return true;
}

/** Whether we could listen on this port of a loopback address now. */
export async function isFree(port: number, host = LOOPBACK): Promise<boolean> {
  return (await whyNotFree(port, host)) === null;
}

/**
 * Why we could not listen there now. Null: we could. `not ours`: a port below 1024 is for root alone; `no
 * address`: this machine does not have it.
 */
export function whyNotFree(port: number, host: string): Promise<'taken' | 'not ours' | 'no address' | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EACCES' ? 'not ours' : code === 'EADDRNOTAVAIL' ? 'no address' : 'taken'),
    );
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/**
 * Of processes that start stacks beside each other, and stop them for a moment, each has a part of the range
 * by PORT_RANGE, such as 20000-21500: no other takes what is free for that moment.
 */
function rangeOfPorts(): { readonly lowest: number; readonly highest: number } {
  const [, lowest, highest] = /^(\d{4,5})-(\d{4,5})$/.exec(process.env['PORT_RANGE'] ?? '') ?? [];
  const range = { lowest: Number(lowest), highest: Number(highest) };
  return range.lowest < range.highest && range.highest <= MOST_PORTS ? range : WHOLE;
}

async function anyFree(taken: ReadonlySet<number>, hosts: readonly string[]): Promise<number> {
  const { lowest, highest } = rangeOfPorts();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (!taken.has(port) && (await isFreeOn(hosts, port))) return port;
  }
  throw new Error(
    `No free port between ${lowest} and ${highest} on ${hosts.join(', ')} after ${ATTEMPTS} tries. Stop a program that listens there (ss -ltnp lists them).`,
  );
}
