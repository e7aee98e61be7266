// What was told of a Capp's lines, so that a new stream goes on where the last one ended: no line is missing,
// and none is there twice.
import { instantOf, seen, type Line, type Seen } from '../../../reach/lines.ts';
import type { Since } from './stream.ts';

export interface ToldLines {
  isNew(line: Line): boolean;
  /** The lines of a new stream begin before the last ones. */
  again(): void;
  /** From when on a new stream has to tell; null before the first one: what was wanted. */
  since(): Since | null;
}

/** Clocks of sites differ, and lines may be late by as much. */
const MARGIN_MS = 60_000;
/** Containers; of those that were first heard of, the oldest is forgotten. */
const MOST_CONTAINERS = 5_000;

/** `now` is in milliseconds since the epoch. */
export function newMemory(now: () => number = Date.now): ToldLines {
  const containers = new Map<string, Seen>();
  /** Of each site, in milliseconds: never ahead of our own clock, so that no stamp silences what comes. */
  const latest = new Map<string, number>();
  let begunAt: number | null = null;
  return {
    isNew: ({ site, pod, container, at }) => {
      const key = `${site}/${pod}/${container}`;
      const known = containers.get(key) ?? seen(now);
      const [oldest] = containers.keys();
      if (oldest !== undefined && containers.size >= MOST_CONTAINERS && !containers.has(key))
        containers.delete(oldest);
      containers.set(key, known);
      const instant = instantOf(at);
      if (instant !== null) {
        const ms = Math.min(Number(instant / 1_000_000n), now());
        latest.set(site, Math.max(ms, latest.get(site) ?? ms));
      }
      return known.isNew(at);
    },
    again: () => {
      begunAt ??= now();
      for (const one of containers.values()) one.again();
    },
    since: () => {
      if (begunAt === null) return null;
      const siteTimes = new Map([...latest].map(([site, ms]): [string, string] => [site, before(ms)]));
      // Of a site that nothing was told of, the lines since the first stream count, whatever others have
      // said.
      return { sinceTime: before(begunAt), siteTimes };
    },
  };
}

function before(ms: number): string {
  return new Date(ms - MARGIN_MS).toISOString();
}
