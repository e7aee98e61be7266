// Keeps what Temporal's SDK logs in tests to errors; a worker's warnings about a server that goes away are part of many tests.
import { DefaultLogger, Runtime } from '@temporalio/worker';

/** A worker that a test kills does not end well, and need not say so. */
function isKill(error: unknown): boolean {
  return error instanceof Error && error.name === 'GracefulShutdownPeriodExpiredError';
}

/** Once in each test file that makes workers, before the first of them. The native runtime goes when the file is done, or Jest would wait for it. */
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
