// What hub and agents of an earlier version said to each other on a real stack, as `make baseline` wrote it down.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Wire {
  /** What an agent was asked, and its answer. */
  readonly answers: readonly { readonly activity: string; readonly args: readonly unknown[]; readonly answer: unknown }[];
  /** What bridge and agents said to workflows. */
  readonly signals: readonly { readonly signal: string; readonly args: readonly unknown[] }[];
}

export function wire(): Wire {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'wire.json'), 'utf8')) as Wire;
}
