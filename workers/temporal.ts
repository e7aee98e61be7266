// The way to Temporal, and a client on it. The worker SDK, which is large, stays out of processes that only ring.
import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import type { TLSConfig } from '@temporalio/worker';
import { z } from 'zod';
import { ADDRESS } from './config.ts';

/** What every process that speaks to Temporal understands. */
export const TEMPORAL = {
  TEMPORAL_ADDRESS: ADDRESS.describe('host:port of the Temporal frontend'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('the Temporal namespace'),
  TEMPORAL_TLS_CERT: z.string().min(1).optional().describe('path of a client certificate (PEM)'),
  TEMPORAL_TLS_KEY: z.string().min(1).optional().describe("path of that certificate's key (PEM)"),
  TEMPORAL_TLS_CA: z.string().min(1).optional().describe('path of the CA that signed the server (PEM)'),
} as const;

export interface TemporalConfig {
  readonly TEMPORAL_ADDRESS: string;
  readonly TEMPORAL_NAMESPACE: string;
  readonly TEMPORAL_TLS_CERT?: string | undefined;
  readonly TEMPORAL_TLS_KEY?: string | undefined;
  readonly TEMPORAL_TLS_CA?: string | undefined;
}

export async function connectClient(config: TemporalConfig): Promise<Client> {
  const connection = await Connection.connect({ address: config.TEMPORAL_ADDRESS, tls: tlsOf(config) });
  return new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
}

export function tlsOf({ TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key, TEMPORAL_TLS_CA: ca }: TemporalConfig): TLSConfig | null {
  if (cert === undefined && ca === undefined) return null;
  return {
    ...(ca === undefined ? {} : { serverRootCACertificate: readFileSync(ca) }),
    ...(cert === undefined || key === undefined ? {} : { clientCertPair: { crt: readFileSync(cert), key: readFileSync(key) } }),
  };
}
