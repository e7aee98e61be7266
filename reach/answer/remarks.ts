// What the reader itself says between the lines of a log.
import { MOST_REMARKS } from '../bounds.ts';
import { REMARK } from '../lines.ts';
import type { Sink } from './context.ts';

export interface Remark {
  readonly site: string;
  /** A sentence, without its capital and its stop. */
  readonly why: string;
}

export interface Remarks {
  /** Each sentence once in a stream, and so many of one site: none keeps those of another from being said. */
  say(remarks: readonly Remark[]): Promise<void>;
}

export function remarksTo(sink: Sink): Remarks {
  const said = new Map<string, Set<string>>();
  return {
    async say(remarks) {
      for (const { site, why } of remarks) {
        const known = said.get(site) ?? new Set();
        said.set(site, known);
        if (known.has(why) || known.size >= MOST_REMARKS) continue;
        known.add(why);
        await sink.write(`${REMARK} ${sentence(why)}\n`);
      }
    },
  };
}

export function sentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}
