// Whom the webhook answers where the platform says so: API servers, known by their client certificates.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

export interface Clients {
  /** The authorities of their certificates, PEM. */
  readonly ca: string;
  /** The common names of their certificates; empty for any. */
  readonly names: readonly string[];
}

/** Read again at each call. Throws an Error that names the file if there is no certificate in it. */
export async function givenClients(caFile: string, names: readonly string[]): Promise<Clients> {
  const ca = await readFile(caFile, 'utf8');
  try {
    void new X509Certificate(ca);
  } catch (cause) {
    // Without one, Node would ask for a certificate of any authority that browsers trust.
    throw new Error(
      `CLIENT_CA_FILE ${caFile} has no certificate (PEM): put the authority of the API servers' there`,
      {
        cause,
      },
    );
  }
  return { ca, names };
}

/** What TLS asks of whoever connects: without clients, nothing. */
export function asked(clients: Clients | undefined): {
  readonly ca?: string;
  readonly requestCert?: true;
  readonly rejectUnauthorized?: true;
} {
  return clients === undefined ? {} : { ca: clients.ca, requestCert: true, rejectUnauthorized: true };
}

/** TLS has proved the certificate; this is about whose it is. */
export function isClient({ socket }: IncomingMessage, clients: Clients | undefined): boolean {
  if (clients === undefined) return true;
  const { subject } = (socket as TLSSocket).getPeerCertificate();
  return clients.names.length === 0 || clients.names.includes(String(subject?.CN ?? ''));
}
