// Where each site's ingress listens: on a loopback address of its own, and on the same port as all others.
//
// So the address alone says which site is asked, as behind DNS: a record names an address, and no port.
import { createServer } from 'node:net';
import type { Ports } from '../../supervise/ports.ts';

/**
 * site-1 has 127.0.0.11, site-2 has 127.0.0.12, …. On Linux all of 127.0.0.0/8 is loopback, and needs no
 * root.
 */
const FIRST = 10;

export function ingressHost(site: string): string {
  const number = Number(/^site-(\d+)$/.exec(site)?.[1]);
  if (!Number.isInteger(number)) throw new Error(`${site} is no site of the local stack.`);
  return `127.0.0.${FIRST + number}`;
}

/**
 * The port of all sites' ingresses, chosen once for the stack. Throws when this machine does not have the
 * address of one of these sites.
 */
export async function ingressPort(ports: Ports, sites: readonly string[]): Promise<number> {
  const hosts = sites.map(ingressHost);
  for (const host of hosts) await requireLoopback(host);
  return ports.of('ingress', hosts);
}

async function requireLoopback(host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const server = createServer();
    const refused = (cause: Error): void =>
      reject(
        new Error(
          `No program can listen on ${host} on this machine (${cause.message}). The ingress of a site needs it: run "sudo ip address add ${host}/8 dev lo".`,
          { cause },
        ),
      );
    server.once('error', refused).listen({ host, port: 0, exclusive: true }, () => {
      server.close(() => resolve());
    });
  });
}
