// Temporal's own server, all four services in one process, on a PostgreSQL that listens on loopback.
//
// Shards and connections are those of the module's config/development-postgres12.yaml; eager activities are on, as on the development server.
import { join } from 'node:path';
import { writeJson } from '../supervise/json-file.ts';
import type { Ports } from '../ports.ts';
import { DATABASE_USER } from './postgres.ts';
import { FEWER_COLLECTIONS, Wave } from '../supervise/process-spec.ts';
import type { Temporal } from './dev-server.ts';

const SERVICES = ['frontend', 'matching', 'history', 'worker'] as const;
const DYNAMIC = { 'system.enableActivityEagerExecution': [{ value: true }] };
const HOST = '127.0.0.1';

export interface ServicePorts {
  readonly grpcPort: number;
  readonly membershipPort: number;
}

export interface TemporalServerOptions {
  readonly binary: string;
  /** Where its configuration is written. */
  readonly folder: string;
  /** PostgreSQL's port. */
  readonly database: number;
  readonly ports: ReadonlyMap<string, ServicePorts>;
}

export async function openServerPorts(ports: Ports): Promise<ReadonlyMap<string, ServicePorts>> {
  const opened = new Map<string, ServicePorts>();
  for (const service of SERVICES) {
    const grpcPort = await ports.of(service === 'frontend' ? 'temporal' : `temporal-${service}`);
    opened.set(service, { grpcPort, membershipPort: await ports.of(`temporal-${service}-membership`) });
  }
  return opened;
}

/** Writes its configuration; starts nothing. It has no web interface. */
export function temporalServer({ binary, folder, database, ports }: TemporalServerOptions): Temporal {
  const address = `${HOST}:${ports.get('frontend')?.grpcPort}`;
  const file = join(folder, 'server.yaml');
  const dynamic = join(folder, 'dynamic.yaml');
  // Every JSON text is a YAML text.
  writeJson(dynamic, DYNAMIC);
  writeJson(file, configuration({ address, database, dynamic, ports }));
  return {
    address,
    ui: '',
    spec: {
      name: 'temporal',
      command: binary,
      args: [`--config-file=${file}`, '--allow-no-auth', 'start'],
      env: FEWER_COLLECTIONS,
      ready: { tcp: ports.get('frontend')?.grpcPort ?? 0 },
      wave: Wave.server,
      ports: [...ports.values()].flatMap(({ grpcPort, membershipPort }) => [grpcPort, membershipPort]),
    },
  };
}

interface Facts {
  readonly address: string;
  readonly database: number;
  readonly dynamic: string;
  readonly ports: ReadonlyMap<string, ServicePorts>;
}

function configuration({ address, database, dynamic, ports }: Facts): object {
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'main',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { main: store(database, 'temporal', 20), visibility: store(database, 'temporal_visibility', 2) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: HOST } },
    services: Object.fromEntries([...ports].map(([service, rpc]) => [service, { rpc: { ...rpc, bindOnIP: HOST } }])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address } },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamic, pollInterval: '10s' },
  };
}

function store(port: number, databaseName: string, connections: number): object {
  const sql = { pluginName: 'postgres12', databaseName, connectAddr: `${HOST}:${port}`, connectProtocol: 'tcp', user: DATABASE_USER };
  return { sql: { ...sql, maxConns: connections, maxIdleConns: connections, maxConnLifetime: '1h' } };
}
