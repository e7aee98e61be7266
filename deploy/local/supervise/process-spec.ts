// A process of the stack as JSON, which the supervisor reads from a file.
import type { ProcessProbe } from './probe.ts';

/**
 * The order of a stop: the last wave first, one wave at a time, because controllers need their servers to
 * stop cleanly.
 */
export const Wave = { store: 0, server: 1, controller: 2, ours: 3 } as const;
export type Wave = (typeof Wave)[keyof typeof Wave];

/** For servers in Go: fewer garbage collections than by default, because all processes share two cores. */
export const FEWER_COLLECTIONS = { GOGC: '200' } as const;

export interface ProcessSpec {
  /** Unique in its stack; also the name of its log file. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to PATH, HOME and the like. The process gets no other variables of the caller. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Tells when the process can be used. */
  readonly ready: ProcessProbe;
  /**
   * Restarts the process when this says "unhealthy". "unanswered" does not count, so that SIGSTOP can freeze
   * a process.
   */
  readonly live?: ProcessProbe;
  readonly wave: Wave;
  /** The ports on which it listens, on 127.0.0.1. */
  readonly ports: readonly number[];
  /** The other loopback addresses on which it listens. */
  readonly addresses?: readonly Address[];
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Everything on which it listens. */
export function addressesOf({ ports, addresses = [] }: ProcessSpec): readonly Address[] {
  return [...ports.map((port) => ({ host: '127.0.0.1', port })), ...addresses];
}

/** A process is restarted when this text of its spec changes. */
export function specText(spec: ProcessSpec): string {
  return JSON.stringify(spec);
}
