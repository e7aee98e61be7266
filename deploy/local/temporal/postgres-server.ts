// Temporal's production server on PostgreSQL, for benchmarks: all four services in one process, on loopback.
//
// Shards and connections are those of its config/development-postgres12.yaml. Eager activities are on, as on
// the development server.
import { join } from 'node:path';
import { writeJson, writeText } from '../supervise/json-file.ts';
import type { Ports } from '../supervise/ports.ts';
import { DATABASE_USER, postgres } from './postgres.ts';
import { FEWER_COLLECTIONS, Wave } from '../supervise/process-spec.ts';
import type { DevTemporal, Engine, EngineContext } from './dev-server.ts';
import { aloneAt, HOST, MEMBERSHIP } from './server-file.ts';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { toolPath } from '../programs/tools.ts';

const run = promisify(execFile);

const WITHIN_MS = 60_000;

/**
 * Starts PostgreSQL, creates the databases, and returns the server to start. Throws when PostgreSQL is not
 * installed.
 */
export async function postgresEngine(
  { layout, ports, start }: EngineContext,
  keywords: readonly string[],
): Promise<Engine> {
  const port = await ports.of('postgres');
  await start([await postgres({ dataDir: layout.dataOf('postgres'), port })]);
  const folder = layout.dataOf('temporal-server');
  const done = join(folder, 'databases');
  if (!existsSync(done)) {
    await makeDatabase(port, 'temporal', 'postgresql/v12/temporal');
    await makeDatabase(port, 'temporal_visibility', 'postgresql/v12/visibility');
    writeText(done, '');
  }
  const server = temporalServer({
    binary: toolPath('temporal-server'),
    folder,
    database: port,
    ports: await openServerPorts(ports),
  });
  return { ...server, prepare: () => registerNamespace(server.address, keywords) };
}

async function makeDatabase(port: number, name: string, schema: string): Promise<void> {
  const at = [
    '--plugin',
    'postgres12',
    '--ep',
    '127.0.0.1',
    '--port',
    String(port),
    '--user',
    DATABASE_USER,
    '--database',
    name,
  ];
  // Repeated, because PostgreSQL listens before it answers.
  await retry('temporal-sql-tool', [...at, 'create-database']);
  await run(toolPath('temporal-sql-tool'), [...at, 'setup-schema', '--version', '0.0']);
  await run(toolPath('temporal-sql-tool'), [...at, 'update-schema', '--schema-name', schema]);
}

async function registerNamespace(address: string, keywords: readonly string[]): Promise<void> {
  const asked = (...words: string[]): string[] => [...words, '--address', address];
  const isThere = await run(toolPath('temporal'), asked('operator', 'namespace', 'describe', 'default')).then(
    () => true,
    () => false,
  );
  if (!isThere)
    await retry('temporal', asked('operator', 'namespace', 'create', '--retention', '24h', 'default'));
  // Creating an attribute that exists succeeds.
  for (const name of keywords)
    await retry(
      'temporal',
      asked('operator', 'search-attribute', 'create', '--type', 'Keyword', '--name', name),
    );
  // Waits until the server's caches have the attributes; until then it refuses workflows with them.
  for (const name of keywords)
    await retry('temporal', asked('workflow', 'list', '--query', `${name} = "none"`));
}

/** Runs the command until it succeeds. Throws its last error after a minute. */
async function retry(tool: 'temporal' | 'temporal-sql-tool', args: readonly string[]): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    try {
      await run(toolPath(tool), [...args]);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await sleep(250);
  }
}

const SERVICES = ['frontend', 'matching', 'history', 'worker'] as const;
const DYNAMIC = { 'system.enableActivityEagerExecution': [{ value: true }] };

export interface ServicePorts {
  readonly grpcPort: number;
  readonly membershipPort: number;
}

export interface TemporalServerOptions {
  readonly binary: string;
  /** Folder for its configuration. */
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

/** Writes the configuration. Starts nothing. This server has no web interface. */
export function temporalServer({ binary, folder, database, ports }: TemporalServerOptions): DevTemporal {
  const address = `${HOST}:${ports.get('frontend')?.grpcPort}`;
  const file = join(folder, 'server.yaml');
  const dynamic = join(folder, 'dynamic.yaml');
  // The server reads YAML, which includes JSON.
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
    ...aloneAt(address, dynamic),
    persistence: {
      defaultStore: 'main',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: {
        main: store(database, 'temporal', 20),
        visibility: store(database, 'temporal_visibility', 2),
      },
    },
    global: { membership: MEMBERSHIP },
    services: Object.fromEntries(
      [...ports].map(([service, rpc]) => [service, { rpc: { ...rpc, bindOnIP: HOST } }]),
    ),
  };
}

function store(port: number, databaseName: string, connections: number): object {
  const sql = {
    pluginName: 'postgres12',
    databaseName,
    connectAddr: `${HOST}:${port}`,
    connectProtocol: 'tcp',
    user: DATABASE_USER,
  };
  return { sql: { ...sql, maxConns: connections, maxIdleConns: connections, maxConnLifetime: '1h' } };
}
