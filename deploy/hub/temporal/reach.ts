// Why a Temporal cannot be reached, in the words of the layer that fails: gRPC only says that time is over.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { whyNoAnswer } from '../doors.ts';
import { named } from '../config/fields.ts';
import type { ExternalTemporal } from '../config/temporal.ts';
import { HUB_COMMAND_TIMES } from '../times.ts';

/** HTTP/2's preface of a client with empty settings, to which a server answers (RFC 9113, 3.4). */
const HELLO = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');

/** A sentence; null if it lets us connect. */
export async function whyNoConnection(address: string): Promise<string | null> {
  const why = await whyNoAnswer(placeOf(address));
  return why === null
    ? null
    : `${named('temporal.address')}: ${address} cannot be reached (${why}). Start Temporal, or give another.`;
}

/**
 * A sentence; null if it answers. By TLS 1.3 a server that does not accept our certificate says so behind the
 * handshake.
 */
export function whyNoTls({ address, tls }: ExternalTemporal): Promise<string | null> {
  if (tls === null) return Promise.resolve(null);
  const { host, port } = placeOf(address);
  const { ca, pair, serverName } = tls;
  const name = serverName ?? host;
  return new Promise((resolve) => {
    const socket = connectTls({
      host,
      port,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ...(ca === undefined ? {} : { ca: readFileSync(ca) }),
      ...(pair === undefined ? {} : { cert: readFileSync(pair.cert), key: readFileSync(pair.key) }),
      ALPNProtocols: ['h2'],
      timeout: HUB_COMMAND_TIMES.temporalAnswers.ms,
    });
    const end = (why: string | null): void => {
      socket.destroy();
      resolve(why);
    };
    socket.once('secureConnect', () => socket.write(HELLO)).once('data', () => end(null));
    socket.once('timeout', () => end(sentence(address, 'no answer')));
    socket.once('close', () => end(sentence(address, 'it ends the connection')));
    socket.once('error', (error: NodeJS.ErrnoException & { readonly reason?: string }) =>
      // Behind the reason, OpenSSL's message has lines of its own source.
      end(sentence(address, error.reason ?? error.message, error.code)),
    );
  });
}

function sentence(address: string, why: string, code = ''): string {
  const remedy = code.startsWith('ERR_TLS_CERT_ALTNAME')
    ? `Give the name that is in it in ${named('temporal.serverName')}.`
    : /CERT|ISSUER|SIGNATURE/.test(code) && !code.includes('ALERT')
      ? `Give the authority that has signed it in ${named('temporal.caFile')}.`
      : `Look whether Temporal speaks TLS there, and lets in who has the certificate of ${named('temporal.certFile')}.`;
  return `${named('temporal.address')}: no TLS with ${address} (${why}). ${remedy}`;
}

function placeOf(address: string): { readonly host: string; readonly port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at), port: Number(address.slice(at + 1)) };
}
