// Checks the imports of every source against lint/rooms, and finds import cycles.
import { posix } from 'node:path';
import { importsOf, type Import } from './imports.ts';
import type { Room } from './rooms/room.ts';
import { OPEN, ROOMS } from './rooms/rooms.ts';

export interface SourceText {
  /** Path from the root, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** One message for each violation, with the file, the problem and the remedy. */
export async function violations(sources: readonly SourceText[]): Promise<string[]> {
  const read = await Promise.all(
    sources.map(async ({ file, text }) => ({ file, imports: await importsOf(text, file.endsWith('.tsx')) })),
  );
  const ours = read.filter(({ file }) => !isOpen(file));
  const graph = new Map(
    ours.map(({ file, imports }) => [file, imports.flatMap(({ from }) => targetOf(file, from) ?? [])]),
  );
  return [...read.flatMap(({ file, imports }) => forbiddenImports(file, imports)), ...importCycles(graph)];
}

function forbiddenImports(file: string, imports: readonly Import[]): string[] {
  if (isOpen(file)) return [];
  const name = posix.dirname(file);
  const room = ROOMS[name];
  if (room === undefined)
    return [`${file}: the room ${name} has no row in lint/rooms. Add one that says what it may import.`];
  const refused = imports.filter((one) => !isAllowed(file, room, one));
  return refused.map(({ from, isType }) => {
    const what = isType ? `types of ${from}` : from;
    return `${file}: ${name} may not import ${what}. Move the code to where it may, or change the room's row in lint/rooms and say why.`;
  });
}

function isOpen(file: string): boolean {
  return OPEN.some((open) => isWithin(file, open));
}

function isAllowed(
  file: string,
  { imports = [], types = [], packages = [], packageTypes = [] }: Room,
  { from, isType }: Import,
): boolean {
  const target = targetOf(file, from);
  if (target === null)
    return [...packages, ...(isType ? packageTypes : [])].some((one) => isPackage(from, one));
  const room = posix.dirname(target);
  return (
    room === posix.dirname(file) ||
    [...imports, ...(isType ? types : [])].some((one) => isWithin(target, one))
  );
}

function isPackage(from: string, allowed: string): boolean {
  return allowed === 'node:*' ? from.startsWith('node:') : from === allowed || from.startsWith(`${allowed}/`);
}

/** Whether the file is in this folder, or is the file `place`.ts. */
function isWithin(file: string, place: string): boolean {
  return file.startsWith(`${place}/`) || file === `${place}.ts`;
}

/** The path of a relative import; null for a package. */
function targetOf(file: string, from: string): string | null {
  return from.startsWith('.') ? posix.join(posix.dirname(file), from) : null;
}

/** Import cycles, each once, also those of types only. */
function importCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0)
      found.push(
        `${[...path.slice(at), file].join(' → ')}: these import each other. Move what they share to a file that imports none of them.`,
      );
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return found;
}
