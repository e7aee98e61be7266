// The messages between hub and agents of an earlier version on a real stack, recorded by `make baseline`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Wire {
  /** Arguments and results of the agent's activities. */
  readonly answers: readonly {
    readonly activity: string;
    readonly args: readonly unknown[];
    readonly answer: unknown;
  }[];
  /** Signals from bridge and agents to workflows. */
  readonly signals: readonly { readonly signal: string; readonly args: readonly unknown[] }[];
}

export function wire(): Wire {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'wire.json'), 'utf8')) as Wire;
}
