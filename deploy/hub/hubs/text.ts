// What `cappstan hubs` prints: pure.
import { stringify } from 'yaml';
import type { SeenHub } from './look.ts';

export const LIST_FORMATS = ['json', 'yaml'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number] | 'table';

const HEAD = ['NAME', 'STATE', 'ADDRESS', 'VERSION', 'SITES', 'CAPPS', 'MEMORY', 'DIRECTORY'] as const;

export function textOf(hubs: readonly SeenHub[], format: ListFormat): string {
  if (format === 'json') return JSON.stringify(hubs, null, 2);
  if (format === 'yaml') return stringify(hubs).trimEnd();
  return columns([HEAD, ...hubs.map(rowOf)]);
}

function rowOf({
  name,
  state,
  address,
  version,
  sites,
  capps,
  memoryBytes,
  dataDirectory,
}: SeenHub): string[] {
  const memory = memoryBytes === null ? null : `${Math.round(memoryBytes / 1_048_576)}Mi`;
  const cells = [name, state, address, version, sites, capps, memory, dataDirectory];
  return cells.map((cell) => (cell === null ? '-' : printable(String(cell))));
}

/** Folders may be named by anybody, and a terminal obeys control characters. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

/** As kubectl prints them: each column as wide as its widest cell, and three blanks. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)) + 3);
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
