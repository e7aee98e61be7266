// What is to be done for each part of a site base, from what is asked and what is on the site. Pure.
import { partOf, type Chart, type PartName } from './parts.ts';

export interface SeenPart {
  readonly part: PartName;
  readonly isThere: boolean;
  /** As it says itself; null: it does not. */
  readonly version: string | null;
  /** The version that we have brought there, as noted; null: we have not. */
  readonly ours: string | null;
  /** Of a chart: what helm has there; null: nothing, or nobody could ask. */
  readonly release: Release | null;
  /** What it lacks for Capps, as commands; of a part that is not ours. */
  readonly lacks: readonly string[];
  /** What it wants, and is neither there nor asked for; null: nothing. */
  readonly lacksFirst: string | null;
}

export interface Release {
  /** Null: it is of another chart. */
  readonly version: string | null;
  /** As helm calls it, such as `deployed` or `pending-install`. */
  readonly status: string;
}

/** Noted of a chart that was not brought to its end. */
export const BEGUN = 'begun';

/** What helm can do on this machine. */
export interface WithHelm {
  /** There is a helm. */
  readonly isThere: boolean;
  /** Parts for whose charts somebody has given values. */
  readonly values: readonly PartName[];
}

/**
 * `create`: what is missing is made, and nothing else is changed. `apply`: everything is as published
 * afterwards. `keep`: nothing is written. `helm`: helm brings its chart. `by-hand`: we do not bring it.
 */
export type BaseAct = 'create' | 'apply' | 'keep' | 'helm' | 'by-hand';

export interface BaseStep {
  readonly part: PartName;
  readonly act: BaseAct;
  /** For people: what is there, and what is done. */
  readonly says: readonly string[];
}

/** `takeOver`: the parts that somebody asked to have replaced, whoever has installed them. */
export function planOf(
  seen: readonly SeenPart[],
  takeOver: readonly PartName[],
  helm: WithHelm,
): readonly BaseStep[] {
  return seen.map((one) => {
    const { chart } = partOf(one.part);
    if (chart === null) return { part: one.part, ...stepOf(one, takeOver.includes(one.part)) };
    const { act, says } = chartStep(one, chart, helm);
    const isUnused = act !== 'helm' && helm.values.includes(one.part);
    const unused = isUnused ? [`What --values says for ${one.part} is not used.`] : [];
    return { part: one.part, act, says: [...says, ...unused] };
  });
}

function chartStep(seen: SeenPart, chart: Chart, { isThere: hasHelm, values }: WithHelm) {
  const { what, command } = partOf(seen.part);
  const { part, release, lacksFirst } = seen;
  const version = versionOf(chart);
  const ours = ownVersion(seen, version);
  const step = (act: BaseAct, says: string): Omit<BaseStep, 'part'> => ({ act, says: [says] });
  if (ours === null && (seen.isThere || release !== null)) return step('keep', foreignChart(seen));
  // Where helm has no release, it is gone, whatever was noted.
  if (ours !== null && isNewer(ours, version) && (release !== null || !hasHelm))
    return step('keep', `${part} ${ours} is there by a newer cappstan, and is left as it is.`);
  if (lacksFirst !== null)
    return step(
      'by-hand',
      `${part} (${what}) is not brought, because ${lacksFirst} is not there, which it wants. Run: ${command}`,
    );
  if (!hasHelm)
    return step(
      'by-hand',
      `${part} (${what}) is not brought, because this machine has no helm (3.14 or newer). Run where there is one: ${command}`,
    );
  if (isWhole(seen, version) && !values.includes(part))
    return step('keep', `${part} ${version} is there by this command, with the values that it has.`);
  const from = ours === null || ours === BEGUN || ours === version ? '' : `, instead of ${ours}`;
  return step('helm', `${part} ${version} comes${from}: ${what}. helm brings its chart.`);
}

/** As we have brought it, to its end. */
function isWhole({ isThere, ours, release }: SeenPart, version: string): boolean {
  return isThere && ours === version && release?.version === version && release.status === 'deployed';
}

/**
 * What helm has there decides; of what somebody else has brought or exchanged, whatever the note says, it is
 * null.
 */
function ownVersion({ ours, release }: SeenPart, version: string): string | null {
  if (ours === null || release === null) return ours;
  const isOwn = ours === BEGUN || release.version === ours || release.version === version;
  return isOwn ? release.version : null;
}

function foreignChart({ part, ours, release, version }: SeenPart): string {
  const there = `${part} is there${versionIn({ version: release?.version ?? version })}`;
  return ours === null || ours === BEGUN
    ? `${there}, and this command has not brought it: it is left as it is.`
    : `${there}, which somebody has changed since this command brought ${ours}: it is left as it is.`;
}

/** As the note on the site has it. */
export function versionOf({ version }: Chart): string {
  return version.replace(/^v/, '');
}

function stepOf(seen: SeenPart, isTakenOver: boolean): Omit<BaseStep, 'part'> {
  const { brings, what } = partOf(seen.part);
  const { part, isThere, ours } = seen;
  if (brings === null) return { act: 'keep', says: [] };
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
