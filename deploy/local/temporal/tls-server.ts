// Temporal's production server on SQLite with mutual TLS at every door, and its web interface, as one process
// (programs/go/stack/temporal-sqlite/main.go). It makes its database, the namespace and the search attributes
// itself.
import { join } from 'node:path';
import type { PairFiles } from '../kubernetes/pki.ts';
import type { GrpcDoor } from '../supervise/grpc-health.ts';
import { writeJson } from '../supervise/json-file.ts';
import { FEWER_COLLECTIONS, Wave } from '../supervise/process-spec.ts';
import type { DevTemporal } from './dev-server.ts';
import { aloneAt, HOST, MEMBERSHIP } from './server-file.ts';

/**
 * PEM files, which the server reads again every `REFRESH`: who has a certificate of a former authority makes
 * no new connection, and loses those that are open within minutes.
 */
export interface DoorCertificates {
  /** What signed those of the clients that are let in. */
  readonly clients: readonly string[];
  /** What signed the next three. */
  readonly authority: string;
  /** For `localhost`. */
  readonly serving: PairFiles;
  /** For `localhost`, to serve and to ask: what the server's own parts show each other. */
  readonly internal: PairFiles;
  /**
   * What the server's own worker and the web interface show at the front door. One of `clients` signed it.
   */
  readonly own: PairFiles;
}

export interface TlsServerOptions {
  readonly binary: string;
  /** Folder for its configuration. */
  readonly folder: string;
  /** SQLite's file, beside which there may be others. */
  readonly database: string;
  /** `ui` null: it has no web interface. */
  readonly ports: Readonly<Record<Service, number> & { readonly ui: number | null }>;
  readonly certificates: DoorCertificates;
  /** Names of search attributes of type Keyword. They are made together with the namespace. */
  readonly keywords: readonly string[];
  /** More dynamic configuration. */
  readonly dynamicConfig?: Readonly<Record<string, unknown>>;
}

const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
type Service = (typeof SERVICES)[number];

/** Certificates are for a name, because Temporal sends it as the name of its server. */
const NAME = 'localhost';
const REFRESH = '1s';

/** Writes the configuration. Starts nothing. */
export function tlsServer(options: TlsServerOptions): DevTemporal {
  const { binary, folder, ports, keywords, dynamicConfig = {} } = options;
  const address = `${HOST}:${ports.frontend}`;
  const ui = ports.ui === null ? '' : `http://${HOST}:${ports.ui}`;
  const files = { server: join(folder, 'server.yaml'), ui: join(folder, 'ui.yaml') };
  const dynamic = join(folder, 'dynamic.yaml');
  // Both read YAML, which includes JSON.
  const settings = { 'system.enableActivityEagerExecution': true, ...dynamicConfig };
  writeJson(dynamic, Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, [{ value }]])));
  writeJson(files.server, serverFile(options, address, dynamic));
  if (ports.ui !== null) writeJson(files.ui, uiFile(options, ports.ui, address));
  return {
    address,
    ui,
    spec: {
      name: 'temporal',
      command: binary,
      args: [
        `--config-file=${files.server}`,
        ...(ports.ui === null ? [] : [`--ui-config-file=${files.ui}`]),
        ...keywords.map((name) => `--keyword=${name}`),
      ],
      env: FEWER_COLLECTIONS,
      ready: { grpc: frontDoor(options) },
      wave: Wave.server,
      ports: Object.values(ports).filter((port) => port !== null),
    },
  };
}

/** Answers when workers and clients are served. */
function frontDoor({ ports, certificates: { authority, own } }: TlsServerOptions): GrpcDoor {
  const service = 'temporal.api.workflowservice.v1.WorkflowService';
  return { port: ports.frontend, ca: authority, cert: own.cert, key: own.key, name: NAME, service };
}

function serverFile({ database, ports, certificates }: TlsServerOptions, address: string, dynamic: string) {
  return {
    ...aloneAt(address, dynamic),
    persistence: {
      defaultStore: 'sqlite',
      visibilityStore: 'sqlite',
      numHistoryShards: 1,
      datastores: { sqlite: { sql: store(database) } },
    },
    global: { membership: MEMBERSHIP, tls: doors(certificates) },
    services: Object.fromEntries(
      SERVICES.map((name) => [name, { rpc: { grpcPort: ports[name], bindOnIP: HOST } }]),
    ),
    publicClient: { hostPort: address },
  };
}

function store(databaseName: string): object {
  return {
    pluginName: 'sqlite',
    databaseName,
    // Not used, and asked for.
    connectProtocol: 'tcp',
    connectAddr: HOST,
    connectAttributes: { mode: 'rwc', journal_mode: 'WAL', synchronous: 'NORMAL' },
  };
}

/** https://docs.temporal.io/references/configuration#tls */
function doors({ clients, authority, serving, internal, own }: DoorCertificates): object {
  const client = { serverName: NAME, rootCaFiles: [authority] };
  const server = (pair: PairFiles, clientCaFiles: readonly string[]): object => ({
    certFile: pair.cert,
    keyFile: pair.key,
    requireClientAuth: true,
    clientCaFiles,
  });
  return {
    internode: { server: server(internal, [authority]), client },
    frontend: { server: server(serving, clients), client },
    systemWorker: { certFile: own.cert, keyFile: own.key, client },
    refreshInterval: REFRESH,
  };
}

/**
 * Whoever reaches it comes to the server by our certificate. It only reads: what it would change goes by
 * requests that it refuses then.
 */
function uiFile(
  { certificates: { authority, own } }: TlsServerOptions,
  port: number,
  address: string,
): object {
  return {
    temporalGrpcAddress: address,
    host: HOST,
    port,
    enableUi: true,
    disableWriteActions: true,
    cors: { cookieInsecure: true },
    hideLogs: true,
    disableNewsFetch: true,
    tls: {
      caFile: authority,
      certFile: own.cert,
      keyFile: own.key,
      enableHostVerification: true,
      serverName: NAME,
    },
  };
}
