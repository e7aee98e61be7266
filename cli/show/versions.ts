// Versions of the program, the hub and the sites, for people.
import type { Versions } from '../explain/versions.ts';
import type { Colours } from '../terminal.ts';
import { printable } from './printable.ts';
import { table } from './table.ts';

const NAMED = 5;

export function versionsText({ client, hub, builds, sites, skew }: Versions, { yellow }: Colours): string {
  const rows = [
    ['client', client, ''],
    ['hub', hub ?? 'unknown', builds.length === 0 ? '' : `hub workers: ${builds.join(', ')}`],
    ...(sites ?? []).map(({ version, sites: names }) => [
      'agents',
      version ?? 'unknown',
      `on ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`,
    ]),
  ];
  return [table(['OF', 'VERSION', 'WHERE'], rows), ...skew.map((line) => yellow(printable(line)))].join('\n');
}
