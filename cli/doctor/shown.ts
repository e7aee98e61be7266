// The certificate that a server shows to whoever connects, from this machine.
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { bareHost } from '../../kube/http/bare-host.ts';

/** Somebody waits for the answer. */
const WITHIN_MS = 5_000;

/**
 * When it ends, RFC 3339; null where nobody shows one in time. Trusts nobody and sends nothing. `address` is
 * host:port.
 */
export function shownAt(address: string): Promise<string | null> {
  const colon = address.lastIndexOf(':');
  const host = bareHost(address.slice(0, colon));
  const port = Number(address.slice(colon + 1));
  if (host === '' || !(Number.isInteger(port) && port > 0 && port < 65_536)) return Promise.resolve(null);
  return new Promise((resolve) => {
    // Whose it is does not matter here: only when it ends is read of it.
    const socket = connect({
      host,
      port,
      // A router that chooses by name shows another certificate, or none, to whoever names nobody.
      servername: isIP(host) === 0 ? host : '',
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
    });
    const end = (answer: string | null): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(WITHIN_MS, () => end(null));
    socket
      .once('error', () => end(null))
      .once('secureConnect', () => {
        const until = Date.parse(socket.getPeerCertificate().valid_to);
        end(Number.isNaN(until) ? null : new Date(until).toISOString());
      });
  });
}
