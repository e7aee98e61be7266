// Reduces the logs of Temporal's SDK to errors, because many tests stop the server of a worker.
import { DefaultLogger, Runtime } from '@temporalio/worker';

/** The expected error of a worker that a test kills. */
function isKill(error: unknown): boolean {
  return error instanceof Error && error.name === 'GracefulShutdownPeriodExpiredError';
}

/**
 * Call it once in each test file with workers, before the first one. Shuts down the native runtime after the
 * tests, because Jest waits for it.
 */
export function quietLogs(): void {
  afterAll(() => Runtime._instance?.shutdown());
  Runtime.install({
    logger: new DefaultLogger('ERROR', ({ message, meta }) => {
      const { error } = (meta ?? {}) as { readonly error?: unknown };
      if (!isKill(error)) process.stderr.write(`${message} ${error instanceof Error ? error.message : ''}\n`);
    }),
    shutdownSignals: [],
    telemetryOptions: { logging: { forward: {}, filter: { core: 'ERROR', other: 'ERROR' } } },
  });
}
