// For processes with a Temporal worker: its native connection, and its log as part of ours.
import { setFlagsFromString } from 'node:v8';
import {
  NativeConnection,
  Runtime,
  type LogLevel,
  type LogMetadata,
  type TLSConfig,
  type Worker,
} from '@temporalio/worker';
import type { Logger } from './log.ts';
import { transportOf, type LinkOptions, type TemporalConfig } from './temporal.ts';
import { followTls } from '../../tls/temporal.ts';
import { followToken, tokenOf } from './token.ts';
import { PROCESS_TIMES } from './times.ts';

export interface WorkerLink {
  /** To make the worker with. */
  readonly connection: NativeConnection;
  /** Has the worker speak over a new connection whenever the certificates' files have changed. */
  follow(worker: Worker): void;
  /** For when the worker has ended. */
  close(): Promise<void>;
}

export async function connectWorker(
  config: TemporalConfig,
  { log, lookEveryMs }: LinkOptions,
): Promise<WorkerLink> {
  const open = (tls: TLSConfig | null): Promise<NativeConnection> => {
    const apiKey = tokenOf(config);
    return NativeConnection.connect({
      address: config.TEMPORAL_ADDRESS,
      tls,
      ...(apiKey === null ? {} : { apiKey }),
    });
  };
  const tls = transportOf(config);
  let current = await open(tls);
  let stop = (): void => undefined;
  const reading = followToken(config, (token) => current.setApiKey(token), log, lookEveryMs);
  return {
    connection: current,
    follow: (worker) => {
      const renew = async (renewed: TLSConfig): Promise<void> => {
        const former = current;
        current = await open(renewed);
        worker.connection = current;
        // Polls under way end on the former connection.
        setTimeout(
          () => void former.close().catch(() => undefined),
          PROCESS_TIMES.formerConnection.ms,
        ).unref();
      };
      stop = followTls({ files: config, known: tls, renew, log, everyMs: lookEveryMs }).stop;
    },
    close: async () => {
      stop();
      reading.stop();
      await current.close();
    },
  };
}

/**
 * Must run before anything else of the worker SDK. Core's warnings and the workflows' logs go through pino;
 * with an address (`host:port`), Prometheus reads the SDK's metrics and ours there.
 */
export function installRuntime(
  log: Logger,
  metricsAddress?: string,
  histogramBucketOverrides: Record<string, number[]> = {},
): void {
  const write = (level: LogLevel, message: string, meta?: LogMetadata): void => {
    const { sdkComponent, namespace, workflowId, activityType, error } = (meta ?? {}) as Record<
      string,
      unknown
    >;
    log[pinoLevel(level)](
      { sdkComponent, namespace, workflowId, activityType, error: nameOf(error) },
      message,
    );
  };
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log: write,
      trace: (message, meta) => write('TRACE', message, meta),
      debug: (message, meta) => write('DEBUG', message, meta),
      info: (message, meta) => write('INFO', message, meta),
      warn: (message, meta) => write('WARN', message, meta),
      error: (message, meta) => write('ERROR', message, meta),
    },
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(metricsAddress === undefined
        ? {}
        : { metrics: { prometheus: { bindAddress: metricsAddress, histogramBucketOverrides } } }),
    },
  });
}

/**
 * Takes the stacks from errors made in threads begun from now on, such as the one that runs workflows; this
 * thread's errors keep theirs. The SDK makes an error for every promise of a workflow, so that its call stack
 * can be asked for, which took more than a third of the worker's time.
 */
export function disableWorkflowStacks(): void {
  setFlagsFromString('--stack-trace-limit=0');
}

function pinoLevel(level: LogLevel): 'trace' | 'debug' | 'info' | 'warn' | 'error' {
  switch (level) {
    case 'TRACE':
      return 'trace';
    case 'DEBUG':
      return 'debug';
    case 'INFO':
      return 'info';
    case 'WARN':
      return 'warn';
    case 'ERROR':
      return 'error';
  }
}

/** Name and message only: other fields may quote payloads. */
function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? `${error.name}: ${error.message}` : undefined;
}
