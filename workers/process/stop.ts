// How a process stops: the first SIGTERM or SIGINT lets it finish, the second one ends it at once.
import type { Logger } from './log.ts';
import { PROCESS_TIMES } from './times.ts';

/**
 * Resolves on the first SIGTERM or SIGINT. Until it is called such a signal ends the process at once, so call
 * it before the process says that it is ready.
 */
export function stopAsked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve(signal);
      });
    }
  });
}

/**
 * Runs a process's main. An error becomes the last log line and exit code 1; what still runs after its end is
 * cut off.
 */
export function run(main: () => Promise<void>, log: () => Logger | null): void {
  main().then(
    () => {
      setTimeout(() => process.exit(process.exitCode ?? 0), PROCESS_TIMES.exit.ms).unref();
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const logger = log();
      if (logger === null) console.error(message);
      else logger.fatal({ err: error }, message);
      process.exit(1);
    },
  );
}
