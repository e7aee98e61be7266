// One process of the stack as plain data, so that it can be written down for the supervisor and read back.
import type { Probe } from './probe.ts';

/** When a process is stopped: the last wave first, one wave at a time, since a controller cannot say goodbye to a server that is gone. */
export const Wave = { store: 0, server: 1, controller: 2, ours: 3 } as const;
export type Wave = (typeof Wave)[keyof typeof Wave];

/** For servers in Go: fewer, larger collections than the default of 100, for two cores that do everything. */
export const FEWER_COLLECTIONS = { GOGC: '200' } as const;

export interface ProcessSpec {
  /** Unique in its stack; also the name of its log file. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to PATH, HOME and the like; nothing else of the caller's environment reaches the process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** When it can be used. */
  readonly ready: Probe;
  /** Restarts the process when this answers in the negative. Silence does not count: a process stopped by SIGSTOP is left alone. */
  readonly live?: Probe;
  readonly wave: Wave;
  /** What it listens on; named when something else holds the port. */
  readonly ports: readonly number[];
}

/** Two specs with the same text are the same process; another text means that it has to be started anew. */
export function specText(spec: ProcessSpec): string {
  return JSON.stringify(spec);
}
