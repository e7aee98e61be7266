// Temporal's production server on SQLite behind mutual TLS, as docs/gateway.md shuts its front door.
import { existsSync, copyFileSync, renameSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPki, type PairFiles, type Pki } from '../../../../deploy/local/kubernetes/pki.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { KEYWORDS } from '../../../../deploy/local/temporal/engine.ts';
import { tlsServer } from '../../../../deploy/local/temporal/tls-server.ts';
import { runTemporal } from '../../flow/temporal.ts';

export interface TlsTemporal {
  /** host:port of its front door. */
  readonly address: string;
  /** URL of its web interface. */
  readonly ui: string;
  /** host:port of a service behind the front door, which has a door of its own. */
  readonly history: string;
  /** What signed the server's certificate. */
  readonly authority: string;
  /** The authority of the hub's certificates, whose clients are let in. */
  readonly hub: Pki;
  /** The authority of sites' certificates, as agents had them before there was a gateway. */
  readonly sites: Pki;
  /** Lets clients of `sites` in as well, or no longer. */
  admitSites(isAdmitted: boolean): void;
  /** Its own certificate at the front door, and what its parts show each other. */
  readonly inside: { readonly own: PairFiles; readonly internal: PairFiles };
  stop(): Promise<void>;
}

/** Ready in a few seconds. Throws as `runTemporal` does. */
export async function startTlsTemporal(dynamicConfig: Record<string, unknown> = {}): Promise<TlsTemporal> {
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-temporal-'));
  const [server, hub, sites] = await Promise.all(
    ['server', 'hub', 'sites'].map((name) => openPki(join(dir, name))) as [
      Promise<Pki>,
      Promise<Pki>,
      Promise<Pki>,
    ],
  );
  const inside = {
    own: await hub.issue('temporal', { name: 'temporal' }),
    internal: await server.issue('internal', { name: 'internal', hosts: ['localhost'], asks: true }),
  };
  const alsoIn = join(dir, 'also-in.crt');
  const admitSites = (isAdmitted: boolean): void => {
    copyFileSync((isAdmitted ? sites : hub).authority.cert, `${alsoIn}.new`);
    renameSync(`${alsoIn}.new`, alsoIn);
  };
  admitSites(false);
  const ports = await openPorts(join(dir, 'ports.json'));
  const opened = {
    frontend: await ports.of('temporal'),
    history: await ports.of('history'),
    matching: await ports.of('matching'),
    worker: await ports.of('worker'),
    ui: await ports.of('ui'),
  };
  const temporal = tlsServer({
    binary: binary(),
    folder: dir,
    database: join(dir, 'temporal.db'),
    ports: opened,
    certificates: {
      clients: [hub.authority.cert, alsoIn],
      authority: server.authority.cert,
      serving: await server.issue('serving', { name: 'temporal', hosts: ['localhost', '127.0.0.1'] }),
      ...inside,
    },
    keywords: KEYWORDS,
    dynamicConfig,
  });
  return {
    address: temporal.address,
    ui: temporal.ui,
    history: `127.0.0.1:${opened.history}`,
    authority: server.authority.cert,
    hub,
    sites,
    admitSites,
    inside,
    stop: await runTemporal(temporal, dir),
  };
}

function binary(): string {
  const path = toolPath('temporal-sqlite');
  if (!existsSync(path)) throw new Error(`${path} does not exist. Run "make tools".`);
  return path;
}
