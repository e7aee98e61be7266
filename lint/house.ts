// Holds every source against the table of rooms, and finds sources that import each other in a circle.
import { posix } from 'node:path';
import { importsOf, type Import } from './imports.ts';
import { OPEN, ROOMS, type Room } from './rooms.ts';

export interface Source {
  /** From the root, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** Sentences, each of which names a file, what is wrong with it and what to do. None: the house is in order. */
export async function disorder(sources: readonly Source[]): Promise<string[]> {
  const read = await Promise.all(sources.map(async ({ file, text }) => ({ file, imports: await importsOf(text) })));
  const ours = read.filter(({ file }) => !isOpen(file));
  const graph = new Map(ours.map(({ file, imports }) => [file, imports.flatMap(({ from }) => targetOf(file, from) ?? [])]));
  return [...read.flatMap(({ file, imports }) => trespasses(file, imports)), ...circles(graph)];
}

function trespasses(file: string, imports: readonly Import[]): string[] {
  if (isOpen(file)) return [];
  const name = posix.dirname(file);
  const room = ROOMS[name];
  if (room === undefined) return [`${file}: the room ${name} has no row in lint/rooms.ts. Add one that says what it may import.`];
  const refused = imports.filter((one) => !isAllowed(file, room, one));
  return refused.map(({ from, isType }) => {
    const what = isType ? `types of ${from}` : from;
    return `${file}: ${name} may not import ${what}. Move the code to where it may, or change the room's row in lint/rooms.ts and say why.`;
  });
}

function isOpen(file: string): boolean {
  return OPEN.some((open) => isWithin(file, open));
}

function isAllowed(file: string, { imports = [], types = [], packages = [], packageTypes = [] }: Room, { from, isType }: Import): boolean {
  const target = targetOf(file, from);
  if (target === null) return [...packages, ...(isType ? packageTypes : [])].some((one) => isPackage(from, one));
  const room = posix.dirname(target);
  return room === posix.dirname(file) || [...imports, ...(isType ? types : [])].some((one) => isWithin(target, one));
}

function isPackage(from: string, allowed: string): boolean {
  return allowed === 'node:*' ? from.startsWith('node:') : from === allowed || from.startsWith(`${allowed}/`);
}

/** Within a room, or the one file that is named. */
function isWithin(file: string, place: string): boolean {
  return file.startsWith(`${place}/`) || file === `${place}.ts`;
}

/** The file that a relative import means; null for a package. */
function targetOf(file: string, from: string): string | null {
  return from.startsWith('.') ? posix.join(posix.dirname(file), from) : null;
}

/** Each circle once, types included: two files that need each other are one file, or lack a third that both need. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
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
