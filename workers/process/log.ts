// The log of a process: one JSON object a line, on standard output. Never Secret data, never the body of an
// API answer.
import { pino, type Logger } from 'pino';

export type { Logger };

export function createLog(process: string, level: string): Logger {
  return pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
