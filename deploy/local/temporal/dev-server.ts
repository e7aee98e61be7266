// Temporal's development server with its web interface. Its data is in a file, so that it survives a restart.
import { dirname } from 'node:path';
import { FEWER_COLLECTIONS, Wave, type ProcessSpec } from '../supervise/process-spec.ts';
import { toolPath } from '../programs/tools.ts';
import type { Layout } from '../layout.ts';
import type { Ports } from '../supervise/ports.ts';

export interface TemporalOptions {
  readonly binary: string;
  readonly database: string;
  readonly port: number;
  readonly uiPort: number;
  readonly httpPort: number;
  readonly metricsPort: number;
  /** Names of search attributes of type Keyword. */
  readonly keywords: readonly string[];
  /** More dynamic configuration, as JSON values. */
  readonly dynamicConfig?: Readonly<Record<string, string>>;
}

export interface DevTemporal {
  readonly spec: ProcessSpec;
  /** host:port. */
  readonly address: string;
  /** URL of its web interface; empty if it has none. */
  readonly ui: string;
}

export function temporal(options: TemporalOptions): DevTemporal {
  const { port, uiPort, httpPort, metricsPort } = options;
  const dynamicConfig = { 'system.enableActivityEagerExecution': 'true', ...options.dynamicConfig };
  const ui = `http://127.0.0.1:${uiPort}`;
  return {
    address: `127.0.0.1:${port}`,
    ui,
    spec: {
      name: 'temporal',
      command: options.binary,
      args: [
        'server',
        'start-dev',
        '--ip=127.0.0.1',
        `--port=${port}`,
        `--ui-port=${uiPort}`,
        `--http-port=${httpPort}`,
        `--metrics-port=${metricsPort}`,
        `--db-filename=${options.database}`,
        '--sqlite-pragma=journal_mode=WAL',
        '--sqlite-pragma=synchronous=OFF',
        ...Object.entries(dynamicConfig).map(([key, value]) => `--dynamic-config-value=${key}=${value}`),
        ...options.keywords.map((name) => `--search-attribute=${name}=Keyword`),
        '--ui-disable-news-fetch',
        '--disable-config-file',
        '--disable-config-env',
        '--log-format=json',
        '--log-level=warn',
      ],
      env: FEWER_COLLECTIONS,
      // The namespace and the web interface are ready last.
      ready: { http: `${ui}/api/v1/namespaces/default` },
      wave: Wave.server,
      ports: [port, uiPort, httpPort, metricsPort],
    },
  };
}

/** A shell script that exports its addresses and adds the command `temporal` to the PATH. */
export function environment({ address, ui }: DevTemporal): string {
  return `export TEMPORAL_ADDRESS=${address}\nexport TEMPORAL_UI=${ui}\nexport PATH="$PATH:${dirname(toolPath('temporal'))}"\n`;
}

export interface EngineContext {
  readonly layout: Layout;
  readonly ports: Ports;
  /** Starts processes that the engine needs, and waits until they are ready. */
  start(specs: readonly ProcessSpec[]): Promise<void>;
}

export interface Engine extends DevTemporal {
  /**
   * Called when it is ready: creates the namespace and the search attributes if its start does not. Safe to
   * repeat.
   */
  prepare(): Promise<void>;
}
