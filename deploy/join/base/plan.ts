// What is to be done for each part of a site base, from what is asked and what is on the site. Pure.
import { partOf, type PartName } from './parts.ts';

export interface SeenPart {
  readonly part: PartName;
  readonly isThere: boolean;
  /** As it says itself; null: it does not. */
  readonly version: string | null;
  /** The version that we have brought there; null: we have not. */
  readonly ours: string | null;
  /** What it lacks for Capps, as commands; of a part that is not ours. */
  readonly lacks: readonly string[];
}

/**
 * `create`: what is missing is made, and nothing else is changed. `apply`: everything is as published
 * afterwards. `keep`: nothing is written. `by-hand`: we do not bring it.
 */
export type BaseAct = 'create' | 'apply' | 'keep' | 'by-hand';

export interface BaseStep {
  readonly part: PartName;
  readonly act: BaseAct;
  /** For people: what is there, and what is done. */
  readonly says: readonly string[];
}

/** `takeOver`: the parts that somebody asked to have replaced, whoever has installed them. */
export function planOf(seen: readonly SeenPart[], takeOver: readonly PartName[]): readonly BaseStep[] {
  return seen.map((one) => ({ part: one.part, ...stepOf(one, takeOver.includes(one.part)) }));
}

function stepOf(seen: SeenPart, isTakenOver: boolean): Omit<BaseStep, 'part'> {
  const { brings, command, what } = partOf(seen.part);
  const { part, isThere, ours } = seen;
  if (brings === null)
    return isThere
      ? { act: 'keep', says: [`${part} is there${versionIn(seen)}.`] }
      : { act: 'by-hand', says: [`${part} (${what}) is not there, and is not brought. Run: ${command}`] };
  const { version } = brings;
  if (ours !== null && isNewer(ours, version))
    return {
      act: 'keep',
      says: [`${part} ${ours} is there by a newer cappstan, and is left as it is. This one has ${version}.`],
    };
  if (ours === version)
    return {
      act: 'create',
      says: [`${part} ${version} is there by this command: only what is missing of it is made.`],
    };
  if (ours !== null) return { act: 'apply', says: [`${part} goes from ${ours} to ${version}.`] };
  if (!isThere) return { act: 'create', says: [`${part} ${version} comes: ${what}.`] };
  if (isTakenOver)
    return { act: 'apply', says: [`${part}${versionIn(seen)} is replaced by ${version}, as you asked.`] };
  return { act: 'keep', says: foreign(seen) };
}

function foreign({ part, lacks, ...seen }: SeenPart): string[] {
  return [
    `${part} is there${versionIn(seen)}, and this command has not brought it: it is left as it is (--take-over ${part} replaces it).`,
    ...lacks.map((command) => `For Capps it lacks a setting. Run on the site: ${command}`),
  ];
}

function versionIn({ version }: Pick<SeenPart, 'version'>): string {
  return version === null ? '' : ` (${version})`;
}

/** Of versions such as 1.23.0. */
export function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number));
  const at = (left ?? []).findIndex((number, index) => number !== right?.[index]);
  return at >= 0 && (left?.[at] ?? 0) > (right?.[at] ?? 0);
}
