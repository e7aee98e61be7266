// Where this hub has worked last with somebody else's Temporal: what runs there is its own. No backup has it,
// since a restored hub is another one there: what runs is of a later moment than its objects.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { processName } from '../../local/cappstan/processes.ts';
import { readJson, writeJson } from '../../local/supervise/json-file.ts';
import type { ProcessSpec } from '../../local/supervise/process-spec.ts';
import type { HubConfig } from '../config/config.ts';
import type { ExternalTemporal } from '../config/temporal.ts';

/** Two Temporals may have namespaces of the same name. */
export type TemporalPlace = Pick<ExternalTemporal, 'address' | 'namespace'>;

export function workedFile(directory: string): string {
  return join(directory, 'state', 'temporal.json');
}

/**
 * `started` was handed to the supervisor just now. Without our worker nothing has worked there yet, as behind
 * shut doors, and what is remembered stays. Safe to repeat.
 */
export function rememberWorked(
  { dataDirectory, temporal }: Pick<HubConfig, 'dataDirectory' | 'temporal'>,
  started: readonly Pick<ProcessSpec, 'name'>[],
): void {
  const worker = processName('hub', 'hub');
  if (!started.some(({ name }) => name === worker)) return;
  const file = workedFile(dataDirectory);
  // Whoever goes back to a former Temporal looks there again: another hub may have come.
  if (temporal.mode === 'embed') return rmSync(file, { force: true });
  const { address, namespace } = temporal;
  writeJson(file, { address, namespace } satisfies TemporalPlace);
}

/** Null: nowhere, or with a Temporal of its own. */
export function workedIn(directory: string): Promise<TemporalPlace | null> {
  return readJson<TemporalPlace>(workedFile(directory));
}
