// Stand-in for the kubelet of a site, as far as its API server asks it for logs: everything before it is
// real. It is registered as the address of a Node, and answers by what a test has written for a container.
import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { issue } from '../../../../tls/certificate.ts';

export interface StandInKubelet {
  readonly port: number;
  /** Writes a line of a container, now; nobody needs to read it yet. */
  write(container: string, text: string): void;
  /** Ends the log of a container: what follows it ends. */
  end(container: string): void;
  /** Cuts off whatever is being followed, as a lost connection does. */
  cut(): void;
  /** How often a log was asked for. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

interface Log {
  readonly lines: { readonly at: string; readonly text: string }[];
  hasEnded: boolean;
  readonly followers: Set<ServerResponse>;
}

/** `container` is `<namespace>/<pod>/<container>`. */
export async function startKubelet(): Promise<StandInKubelet> {
  const { cert, key } = await issue(['127.0.0.1'], Date.now());
  const logs = new Map<string, Log>();
  const asked: string[] = [];
  let last = 0n;
  const logOf = (container: string): Log => {
    const known = logs.get(container) ?? { lines: [], hasEnded: false, followers: new Set() };
    logs.set(container, known);
    return known;
  };
  const server = createServer({ cert, key }, (request, response) => {
    const { pathname, searchParams: given } = new URL(request.url ?? '', 'https://kubelet');
    const [, container] = /^\/containerLogs\/(.+)$/.exec(pathname) ?? [];
    if (container === undefined) return response.writeHead(404).end();
    asked.push(`${container}?${given.toString()}`);
    const log = logOf(container);
    const since = Date.parse(given.get('sinceTime') ?? '') || 0;
    const lines = log.lines.filter(({ at }) => Date.parse(at) >= since);
    const tail = given.get('tailLines');
    response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
    for (const line of tail === null ? lines : lines.slice(-Number(tail))) response.write(textOf(line));
    if (given.get('follow') !== 'true' || log.hasEnded) return response.end();
    log.followers.add(response);
    return response.once('close', () => log.followers.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    write: (container, text) => {
      const now = BigInt(Date.now()) * 1_000_000n;
      last = now > last ? now : last + 1n;
      const line = { at: timeOf(last), text };
      const log = logOf(container);
      log.lines.push(line);
      for (const follower of log.followers) follower.write(textOf(line));
    },
    end: (container) => {
      const log = logOf(container);
      log.hasEnded = true;
      for (const follower of log.followers) follower.end();
    },
    cut: () => {
      for (const { followers } of logs.values()) for (const one of followers) one.destroy();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function textOf({ at, text }: { readonly at: string; readonly text: string }): string {
  return `${at} ${text}\n`;
}

/** With nanoseconds, as containerd has it. */
function timeOf(instant: bigint): string {
  const whole = new Date(Number(instant / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(instant % 1_000_000_000n).padStart(9, '0')}Z`;
}
