// What is written of a drill: counts of everything, and names of what did not pass. Bounded. Pure.
import {
  DRILL_CHECKS,
  LONGEST_FINDING,
  MOST_FINDINGS,
  MOST_SITES,
  type DrillCheck,
  type DrillResult,
} from '../../../crds/drain/drill-bounds.ts';
import type { DrillFinding, Rehearsal } from '../../../crds/drain/rehearsal.ts';
import type { DrillCheckFound, JudgedCapp, JudgedSite } from './judge.ts';

export interface Drilled {
  readonly generation: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Capps on the site, whether they were looked at or not. */
  readonly all: number;
  readonly capps: readonly JudgedCapp[];
  readonly sites: readonly JudgedSite[];
}

export function rehearsalOf({ generation, at, all, capps, sites }: Drilled): Rehearsal {
  const results = capps.map(({ found }) => worstOf(found));
  const countOf = (wanted: DrillResult): number => results.filter((one) => one === wanted).length;
  return {
    observedGeneration: generation,
    rehearsedAt: new Date(at).toISOString(),
    capps: capps.length,
    leftOut: Math.max(0, all - capps.length),
    ready: countOf('Passed'),
    failed: countOf('Failed'),
    unknown: countOf('Unknown'),
    checks: DRILL_CHECKS.map((check) => ({ check, ...countsOf(capps, check) })),
    sites: sites.slice(0, MOST_SITES).map(({ site, capps: count, message }) => ({
      site,
      capps: count,
      message: cut(message),
    })),
    findings: findingsIn(capps),
  };
}

function worstOf(found: readonly DrillCheckFound[]): DrillResult {
  const results = new Set(found.map(({ result }) => result));
  if (results.has('Failed')) return 'Failed';
  return results.has('Unknown') ? 'Unknown' : 'Passed';
}

function countsOf(capps: readonly JudgedCapp[], check: DrillCheck) {
  const results = capps.flatMap(({ found }) =>
    found.filter((one) => one.check === check).map(({ result }) => result),
  );
  const countOf = (wanted: DrillResult): number => results.filter((one) => one === wanted).length;
  return { passed: countOf('Passed'), failed: countOf('Failed'), unknown: countOf('Unknown') };
}

/**
 * What failed first, and then each kind of finding in turn, so that none is hidden behind a hundred of
 * another.
 */
function findingsIn(capps: readonly JudgedCapp[]): DrillFinding[] {
  const all = capps.flatMap(({ capp, site, found }) =>
    found
      .filter(({ result }) => result !== 'Passed')
      .map(({ check, result, reason, message }) => ({
        capp,
        site: site ?? '',
        check,
        result,
        reason,
        message: cut(message),
      })),
  );
  const named = (wanted: DrillResult): DrillFinding[] =>
    inTurn(all.filter(({ result }) => result === wanted));
  return [...named('Failed'), ...named('Unknown')].slice(0, MOST_FINDINGS);
}

function inTurn(findings: readonly DrillFinding[]): DrillFinding[] {
  const seen = new Map<string, number>();
  const placed = findings.map((finding) => {
    const kind = `${finding.check}/${finding.reason}`;
    const place = seen.get(kind) ?? 0;
    seen.set(kind, place + 1);
    return { finding, place };
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ finding }) => finding);
}

function cut(text: string): string {
  return text.length > LONGEST_FINDING ? `${text.slice(0, LONGEST_FINDING - 1)}…` : text;
}
