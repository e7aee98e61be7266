// Temporal's own server on PostgreSQL, for measures: what the development server does by itself, namespace and all, is done for it here.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Engine, Ground } from './engine-parts.ts';
import { writeText } from '../supervise/json-file.ts';
import { DATABASE_USER, postgres } from './postgres.ts';
import { openServerPorts, temporalServer } from './server.ts';
import { toolPath } from '../programs/tools.ts';

const run = promisify(execFile);

const WITHIN_MS = 60_000;

/** Starts PostgreSQL with its databases, and says how to start the server. Throws when PostgreSQL is not installed. */
export async function postgresEngine({ layout, ports, start }: Ground, keywords: readonly string[]): Promise<Engine> {
  const port = await ports.of('postgres');
  await start([await postgres({ dataDir: layout.dataOf('postgres'), port })]);
  const folder = layout.dataOf('temporal-server');
  const done = join(folder, 'databases');
  if (!existsSync(done)) {
    await makeDatabase(port, 'temporal', 'postgresql/v12/temporal');
    await makeDatabase(port, 'temporal_visibility', 'postgresql/v12/visibility');
    writeText(done, '');
  }
  const server = temporalServer({ binary: toolPath('temporal-server'), folder, database: port, ports: await openServerPorts(ports) });
  return { ...server, prepare: () => introduce(server.address, keywords) };
}

async function makeDatabase(port: number, name: string, schema: string): Promise<void> {
  const at = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '--port', String(port), '--user', DATABASE_USER, '--database', name];
  // It listens before it answers.
  await insist('temporal-sql-tool', [...at, 'create-database']);
  await run(toolPath('temporal-sql-tool'), [...at, 'setup-schema', '--version', '0.0']);
  await run(toolPath('temporal-sql-tool'), [...at, 'update-schema', '--schema-name', schema]);
}

async function introduce(address: string, keywords: readonly string[]): Promise<void> {
  const asked = (...words: string[]): string[] => [...words, '--address', address];
  const isThere = await run(toolPath('temporal'), asked('operator', 'namespace', 'describe', 'default')).then(
    () => true,
    () => false,
  );
  if (!isThere) await insist('temporal', asked('operator', 'namespace', 'create', '--retention', '24h', 'default'));
  // One that is there already is no failure.
  for (const name of keywords)
    await insist('temporal', asked('operator', 'search-attribute', 'create', '--type', 'Keyword', '--name', name));
  // The server's caches follow in seconds; until then it refuses workflows with these attributes.
  for (const name of keywords) await insist('temporal', asked('workflow', 'list', '--query', `${name} = "none"`));
}

/** Tries until it succeeds. Throws its last failure after a minute. */
async function insist(tool: 'temporal' | 'temporal-sql-tool', args: readonly string[]): Promise<void> {
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
