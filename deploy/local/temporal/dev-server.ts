// Temporal's development server with its web interface, keeping its data in a file so that it survives its own restart.
import { dirname } from 'node:path';
import { FEWER_COLLECTIONS, Wave, type ProcessSpec } from '../supervise/process-spec.ts';
import { toolPath } from '../programs/tools.ts';

export interface TemporalOptions {
  readonly binary: string;
  readonly database: string;
  readonly port: number;
  readonly uiPort: number;
  readonly httpPort: number;
  readonly metricsPort: number;
  /** Names of search attributes of type Keyword. */
  readonly keywords: readonly string[];
  /** Dynamic configuration beside ours, as JSON values. */
  readonly dynamicConfig?: Readonly<Record<string, string>>;
}

export interface Temporal {
  readonly spec: ProcessSpec;
  /** host:port, as TEMPORAL_ADDRESS. */
  readonly address: string;
  /** Its web interface; empty for a server that has none. */
  readonly ui: string;
}

export function temporal(options: TemporalOptions): Temporal {
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
      // The namespace and the web interface come up last.
      ready: { http: `${ui}/api/v1/namespaces/default` },
      wave: Wave.server,
      ports: [port, uiPort, httpPort, metricsPort],
    },
  };
}

/** What a shell sources to speak to it: its addresses, and the command `temporal`. */
export function environment({ address, ui }: Temporal): string {
  return `export TEMPORAL_ADDRESS=${address}\nexport TEMPORAL_UI=${ui}\nexport PATH="$PATH:${dirname(toolPath('temporal'))}"\n`;
}
