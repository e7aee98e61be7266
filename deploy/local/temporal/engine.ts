// Which Temporal a stack runs: the development server, or for measures a server of its own on PostgreSQL.
import { CAPP_NAMESPACE, CAPP_PHASE, CAPP_SITE } from '../../../workflows/names.ts';
import { postgresEngine } from './postgres-engine.ts';
import { temporal } from './dev-server.ts';
import type { Engine, Ground } from './engine-parts.ts';
import { MODULES, SERVER_MODULE, toolPath, type Module } from '../programs/tools.ts';

/** Names of our search attributes, all of type Keyword. */
export const KEYWORDS = [CAPP_NAMESPACE, CAPP_SITE, CAPP_PHASE] as const;

export type EngineName = 'development' | 'postgres';

export function engineOf(name: EngineName): (ground: Ground) => Promise<Engine> {
  return name === 'postgres' ? (ground) => postgresEngine(ground, KEYWORDS) : developmentServer;
}

/** What has to be built for a stack with it. */
export function modulesFor(name: EngineName): readonly Module[] {
  return name === 'postgres' ? [...MODULES, SERVER_MODULE] : MODULES;
}

/** From the environment. Throws a sentence when it is something else. */
export function engineFrom(text: string | undefined): EngineName {
  if (text === undefined || text === '' || text === 'development') return 'development';
  if (text === 'postgres') return text;
  throw new Error(`ENGINE=${text} is neither "development" nor "postgres".`);
}

async function developmentServer({ layout, ports }: Ground): Promise<Engine> {
  const server = temporal({
    binary: toolPath('temporal'),
    database: layout.dataOf('temporal.db'),
    port: await ports.of('temporal'),
    uiPort: await ports.of('temporal-ui'),
    httpPort: await ports.of('temporal-http'),
    metricsPort: await ports.of('temporal-metrics'),
    keywords: KEYWORDS,
  });
  return { ...server, prepare: () => Promise.resolve() };
}
