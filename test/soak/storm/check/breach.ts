// What a rule of a storm found broken, as a sentence with its place in the record. Pure.
import type { Fact } from '../record/fact.ts';

/** `at` orders it among other lines of the storm: "12:00:01.250, revision 4711: …". */
export function breachAt({ at, revision }: Pick<Fact, 'at' | 'revision'>, what: string): string {
  return `${new Date(at).toISOString().slice(11, 23)}, revision ${revision}: ${what}`;
}
