// A Temporal client. The worker SDK, which is large, stays out of processes without a worker.
import { Client, Connection } from '@temporalio/client';
import type { TLSConfig } from '@temporalio/worker';
import { z } from 'zod';
import { untilClosed } from './closed-connection.ts';
import { ADDRESS } from './config.ts';
import type { Logger } from './log.ts';
import { followTls, tlsOf, type TlsFiles } from '../../tls/temporal.ts';
import { followToken, tokenOf, type TokenFile } from './token.ts';
import { PROCESS_TIMES } from './times.ts';

/** Settings of every process that connects to Temporal. */
export const TEMPORAL = {
  TEMPORAL_ADDRESS: ADDRESS.describe('host:port of the Temporal frontend'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('the Temporal namespace'),
  TEMPORAL_TLS_CERT: z.string().min(1).optional().describe('path of a client certificate (PEM)'),
  TEMPORAL_TLS_KEY: z.string().min(1).optional().describe("path of that certificate's key (PEM)"),
  TEMPORAL_TLS_CA: z.string().min(1).optional().describe('path of the CA that signed the server (PEM)'),
  TEMPORAL_SERVER_NAME: z
    .string()
    .min(1)
    .optional()
    .describe('the name in its certificate, where the address is another'),
} as const;

export interface TemporalConfig extends TlsFiles, TokenFile {
  readonly TEMPORAL_ADDRESS: string;
  readonly TEMPORAL_NAMESPACE: string;
}

export interface LinkOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds between two looks at the certificates' files. */
  readonly lookEveryMs?: number;
}

/**
 * A client whose connection is replaced when the certificates' files change, and which sends the present
 * token of its file. Closing its connection ends that.
 */
export async function connectClient(
  config: TemporalConfig,
  { log, lookEveryMs }: LinkOptions,
): Promise<Client> {
  let token = tokenOf(config);
  const open = (tls: TLSConfig | null): Promise<Connection> =>
    Connection.connect({
      address: config.TEMPORAL_ADDRESS,
      tls,
      interceptors: untilClosed(),
      ...(token === null ? {} : { apiKey: () => token ?? '' }),
    });
  const tls = transportOf(config);
  let current = await open(tls);
  const renew = async (renewed: TLSConfig): Promise<void> => {
    const former = current;
    current = await open(renewed);
    setTimeout(() => void former.close(), PROCESS_TIMES.formerConnection.ms).unref();
  };
  const following = followTls({ files: config, known: tls, renew, log, everyMs: lookEveryMs });
  const reading = followToken(config, (next) => void (token = next), log, lookEveryMs);
  const close = (): Promise<void> => {
    following.stop();
    reading.stop();
    return current.close();
  };
  const connection = new Proxy(current, {
    get: (_first, name): unknown => (name === 'close' ? close : Reflect.get(current, name)),
  });
  return new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
}

/** A token never travels without TLS. Null for neither. */
export function transportOf(config: TemporalConfig): TLSConfig | null {
  const { TEMPORAL_TOKEN_FILE: token, TEMPORAL_SERVER_NAME: name } = config;
  const known = name === undefined ? {} : { serverNameOverride: name };
  return tlsOf(config) ?? (token === undefined ? null : known);
}
