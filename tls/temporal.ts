// TLS to Temporal: PEM files, followed while somebody else renews them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TLSConfig } from '@temporalio/worker';
import type { Logger } from 'pino';
import { TLS_TIMES } from './times.ts';

export interface TlsFiles {
  readonly TEMPORAL_TLS_CERT?: string | undefined;
  readonly TEMPORAL_TLS_KEY?: string | undefined;
  readonly TEMPORAL_TLS_CA?: string | undefined;
  /** The name in the server's certificate, where the address is another. */
  readonly TEMPORAL_SERVER_NAME?: string | undefined;
}

/**
 * Null without files. Throws an Error that names a file that cannot be read, or a pair that is none, as while
 * it is being replaced.
 */
export function tlsOf({
  TEMPORAL_TLS_CERT: cert,
  TEMPORAL_TLS_KEY: key,
  TEMPORAL_TLS_CA: ca,
  TEMPORAL_SERVER_NAME: name,
}: TlsFiles): TLSConfig | null {
  if (cert === undefined && ca === undefined) return null;
  return {
    ...(name === undefined ? {} : { serverNameOverride: name }),
    ...(ca === undefined ? {} : { serverRootCACertificate: readFileSync(ca) }),
    ...(cert === undefined || key === undefined ? {} : { clientCertPair: pairOf(cert, key) }),
  };
}

function pairOf(certFile: string, keyFile: string): NonNullable<TLSConfig['clientCertPair']> {
  const pair = { crt: readFileSync(certFile), key: readFileSync(keyFile) };
  try {
    createSecureContext({ cert: pair.crt, key: pair.key });
  } catch (cause) {
    throw new Error(
      `TEMPORAL_TLS_CERT ${certFile} and TEMPORAL_TLS_KEY ${keyFile} are not a matching certificate and key (PEM)`,
      {
        cause,
      },
    );
  }
  return pair;
}

export interface Renewing {
  readonly files: TlsFiles;
  /** The TLS settings of the present connection. */
  readonly known: TLSConfig | null;
  /** Reconnects; rejects if that fails, and is called again. */
  readonly renew: (tls: TLSConfig) => Promise<void>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds between two looks at the files. */
  readonly everyMs?: number | undefined;
}

/** Reads the files at intervals, and calls `renew` when they have changed, until it succeeds. */
export function followTls({ files, known, renew, log, everyMs = TLS_TIMES.look.ms }: Renewing): {
  stop(): void;
} {
  if (known === null) return { stop: () => undefined };
  let print = fingerprint(known);
  let isLooking = false;
  const look = async (): Promise<void> => {
    const tls = tlsOf(files);
    if (tls === null || fingerprint(tls) === print) return;
    await renew(tls);
    print = fingerprint(tls);
    log.info('certificates for Temporal changed: reconnected');
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'certificates for Temporal changed and cannot be used yet, will be retried'),
      )
      .finally(() => (isLooking = false));
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

function fingerprint({ serverRootCACertificate: ca, clientCertPair: pair }: TLSConfig): string {
  const parts = [ca, pair?.crt, pair?.key].map((part) =>
    part === undefined ? '-' : createHash('sha256').update(part).digest('hex'),
  );
  return parts.join('/');
}
