// Which Temporal a stack runs: the development server, or for benchmarks the production server on PostgreSQL.
import { CAPP_NAMESPACE, CAPP_PHASE, CAPP_SITE } from '../../../workflows/names.ts';
import { postgresEngine } from './postgres-server.ts';
import { temporal, type Engine, type EngineContext } from './dev-server.ts';
import { toolPath } from '../programs/tools.ts';
import { MODULES, SERVER_MODULE, type Module } from '../programs/modules.ts';

/** The names of our search attributes, all of type Keyword. */
export const KEYWORDS = [CAPP_NAMESPACE, CAPP_SITE, CAPP_PHASE] as const;

export type EngineName = 'development' | 'postgres';

export function engineOf(name: EngineName): (ground: EngineContext) => Promise<Engine> {
  return name === 'postgres' ? (ground) => postgresEngine(ground, KEYWORDS) : developmentServer;
}

/** The modules to build for a stack with this engine. */
export function modulesFor(name: EngineName): readonly Module[] {
  return name === 'postgres' ? [...MODULES, SERVER_MODULE] : MODULES;
}

/** Reads the variable ENGINE. Throws for an unknown value. */
export function engineFrom(text: string | undefined): EngineName {
  if (text === undefined || text === '' || text === 'development') return 'development';
  if (text === 'postgres') return text;
  throw new Error(`ENGINE=${text} is neither "development" nor "postgres". Set it to one of them.`);
}

async function developmentServer({ layout, ports }: EngineContext): Promise<Engine> {
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
