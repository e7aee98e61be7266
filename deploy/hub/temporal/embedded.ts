// Temporal of a hub: the production server on SQLite. Only who has a certificate of an authority of its own
// gets in, and that is our processes. Its web interface asks nobody who they are: it runs if somebody wants
// it.
import { mkdirSync } from 'node:fs';
import { toolPath } from '../../local/programs/tools.ts';
import { KEYWORDS } from '../../local/temporal/engine.ts';
import { tlsServer } from '../../local/temporal/tls-server.ts';
import type { HubFoundation } from '../foundation.ts';
import type { ProcessSpec } from '../../local/supervise/process-spec.ts';

export interface HubTemporal {
  /** host:port. */
  readonly address: string;
  /** URL of its web interface; empty if it has none that we know of. */
  readonly ui: string;
  /** None for somebody else's. */
  readonly specs: readonly ProcessSpec[];
  /** Values of the chart. */
  readonly values: Readonly<Record<string, string>>;
  /** With what our processes get in: variables of their environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Writes its configuration, and certificates that are missing or due. Starts nothing. Safe to repeat. */
export async function embeddedTemporal(
  { layout, pki, ports }: HubFoundation,
  hasUi: boolean,
): Promise<HubTemporal> {
  const issuer = await pki.another('temporal-ca');
  const authority = issuer.authority.cert;
  const client = await issuer.issue('temporal-client', { name: 'cappstan' });
  const folder = layout.dataOf('temporal');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { address, ui, spec } = tlsServer({
    binary: toolPath('temporal-sqlite'),
    folder,
    database: layout.dataOf('temporal.db'),
    ports: {
      frontend: await ports.of('temporal'),
      history: await ports.of('temporal-history'),
      matching: await ports.of('temporal-matching'),
      worker: await ports.of('temporal-worker'),
      ui: hasUi ? await ports.of('temporal-ui') : null,
    },
    certificates: {
      clients: [authority],
      authority,
      serving: await issuer.issue('temporal-server', { name: 'temporal', hosts: ['localhost', '127.0.0.1'] }),
      internal: await issuer.issue('temporal-inside', { name: 'temporal', hosts: ['localhost'], asks: true }),
      own: await issuer.issue('temporal-own', { name: 'temporal' }),
    },
    keywords: KEYWORDS,
  });
  return {
    address,
    ui,
    specs: [spec],
    values: {},
    env: { TEMPORAL_TLS_CA: authority, TEMPORAL_TLS_CERT: client.cert, TEMPORAL_TLS_KEY: client.key },
  };
}
