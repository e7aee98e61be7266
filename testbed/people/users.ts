// Users of a hostname in end-to-end tests: they ask DNS, keep the answer as long as they may, and send one
// HTTPS request after the other to the site where it leads.
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type PeerCertificate } from 'node:tls';
import { ingressHost } from '../../deploy/local/standins/ingress/address.ts';
import type { TestbedStack } from '../stack.ts';

const EVERY_MS = 20;
/** On a busy machine. */
const ANSWER_WITHIN_MS = 30_000;

export interface Users {
  readonly hostname: string;
  /** The authority that they trust alone, as PEM. */
  readonly ca: Buffer;
  /** What DNS says now: the ingress name of a site, or undefined for NXDOMAIN. */
  resolve(this: void): string | undefined;
  /** For so long they keep an answer, in milliseconds. */
  readonly ttlMs: number;
}

export interface Experience {
  /** How many requests each site answered with 200. */
  readonly from: ReadonlyMap<string, number>;
  /** What they had instead: NXDOMAIN, a refused handshake, a wrong certificate, another status. */
  readonly failures: readonly string[];
}

/** The site whose ingress has this name. */
export function siteOfIngress(target: string): string {
  return target.split('.')[1] ?? '';
}

export async function whileUsed(
  stack: TestbedStack,
  users: Users,
  meanwhile: () => Promise<unknown>,
): Promise<Experience> {
  const over = new AbortController();
  const from = new Map<string, number>();
  const failures: string[] = [];
  const using = (async () => {
    let known = { target: '', until: 0 };
    while (!over.signal.aborted) {
      if (Date.now() >= known.until)
        known = { target: users.resolve() ?? '', until: Date.now() + users.ttlMs };
      const site = siteOfIngress(known.target);
      let reachedAt = Date.now();
      const failure =
        known.target === ''
          ? 'NXDOMAIN'
          : await askSecurely(stack, users, site, () => (reachedAt = Date.now()));
      if (failure === null) from.set(site, (from.get(site) ?? 0) + 1);
      // Whom a busy machine held up until the answer was too old asks anew, as a user does.
      else if (reachedAt <= known.until) failures.push(`${new Date().toISOString()} ${site}: ${failure}`);
      await pause(EVERY_MS);
    }
  })();
  await meanwhile().finally(() => over.abort());
  await using;
  return { from, failures };
}

/**
 * Null for 200 with a certificate of the hostname by the authority; else what went wrong. `onReached` is
 * called when the site is connected, and again when the connection is secure.
 */
export function askSecurely(
  stack: TestbedStack,
  { hostname, ca }: Users,
  site: string,
  onReached: () => void = () => undefined,
): Promise<string | null> {
  const address = { host: ingressHost(site), port: stack.ingressPort };
  return new Promise((resolve) => {
    const socket = connect({ ...address, servername: hostname, ca, timeout: ANSWER_WITHIN_MS });
    let answer = '';
    let certificate: PeerCertificate | null = null;
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.once('timeout', () => socket.destroy(new Error('no answer in time')));
    socket.on('error', (error) => resolve(error.message)).once('connect', onReached);
    socket.once('secureConnect', () => {
      onReached();
      certificate = socket.getPeerCertificate();
      socket.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
    });
    socket.once('close', () => {
      const [line = 'nothing'] = answer.split('\r\n');
      const isRight = certificate?.subjectaltname === `DNS:${hostname}`;
      resolve(line.startsWith('HTTP/1.1 200') && isRight ? null : line);
    });
  });
}
