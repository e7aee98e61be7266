// Sites that a simulated rollout changes. They know nothing of the planner: they get revisions, and become
// Ready or not.
import type { SeenVerification, Target, VerifyAsk } from '../../../workflows/stages/types.ts';
import type { Random } from '../builders/random.ts';

export interface SimulatedSite {
  readonly cluster: string;
  labels: Record<string, string>;
  reachable: boolean;
  /** With which its copy was last written. */
  revision: string | null;
  writtenAt: number;
  generation: number;
  /** Its labels have changed what it is to have. */
  isStale: boolean;
  /** Since when its copy is being deleted; null if it is not. */
  leavingSince: number | null;
  isDrained: boolean;
  /** Since when it cannot be reached; null if it can. */
  lostSince: number | null;
  /** The checks that were asked for last, and of which write; null before the first. */
  checks: (SeenVerification & { readonly generation: number }) | null;
  /** What the site says, and about which write: after one it speaks of the earlier one for a while. */
  said: { readonly generation: number; readonly verdict: Target['verdict']; readonly at: number };
}

/**
 * A target that believes nothing about an earlier write. Only of the newest revision it is known what a site
 * is to have.
 */
export function targetOf(site: SimulatedSite, newest: string): Target {
  const { cluster, labels, reachable, revision, writtenAt, said, isStale, leavingSince, isDrained } = site;
  if (leavingSince !== null)
    return { cluster, labels, reachable, revision: null, verdict: 'Progressing', since: 0, leavingSince };
  const isHeard = revision !== null && said.generation === site.generation;
  return {
    cluster,
    labels,
    reachable,
    revision,
    verdict: isHeard ? said.verdict : 'Progressing',
    since: isHeard ? Math.max(said.at, writtenAt) : writtenAt,
    ...(revision === null ? {} : { writtenAt }),
    ...(isStale && revision === newest ? { isStale } : {}),
    ...(isDrained ? { isDrained } : {}),
    ...(site.lostSince === null ? {} : { lostSince: site.lostSince }),
    ...(site.checks?.generation === site.generation ? { verification: site.checks } : {}),
  };
}

export function newSite(cluster: string, chance: Random, now: number): SimulatedSite {
  return {
    cluster,
    labels: { tier: chance.pick(['canary', 'edge', 'edge']) },
    ...reached(!chance.chance(0.15), now),
    isStale: false,
    leavingSince: null,
    isDrained: false,
    revision: null,
    writtenAt: now,
    generation: 0,
    checks: null,
    said: { generation: 0, verdict: 'Ready', at: now },
  };
}

/** Whether a site can be reached, and since when it cannot. */
export function reached(reachable: boolean, now: number): Pick<SimulatedSite, 'reachable' | 'lostSince'> {
  return { reachable, lostSince: reachable ? null : now };
}

/** Its copy is gone after a while. */
export function leave(site: SimulatedSite, now: number): void {
  if (site.revision !== null) site.leavingSince ??= now;
}

export function gone(site: SimulatedSite): void {
  if (site.leavingSince === null) return;
  site.leavingSince = null;
  site.revision = null;
}

/** Nothing is written while an earlier copy is being deleted, as the hub's API server has it. */
export function write(site: SimulatedSite, revision: string, now: number): void {
  if (site.leavingSince !== null) return;
  site.isStale = false;
  site.revision = revision;
  site.writtenAt = now;
  site.generation += 1;
}

/** Says so about the revision that it has. An unreachable site cannot say anything. */
export function say(site: SimulatedSite, verdict: Target['verdict'], now: number): void {
  const { said, generation, reachable, revision } = site;
  const isNew = said.generation !== generation || said.verdict !== verdict;
  if (reachable && revision !== null && isNew) site.said = { generation, verdict, at: now };
}

/** It has ten minutes for a verdict. */
export function order(site: SimulatedSite, { cluster: _cluster, ...ask }: VerifyAsk, now: number): void {
  if (site.leavingSince !== null) return;
  site.checks = { ...ask, generation: site.generation, until: now + 600_000, result: null };
}

/** A verdict comes once, from a site that can be reached; one about a former write is nobody's. */
export function judge(site: SimulatedSite, verdict: 'Passed' | 'Failed' | 'Inconclusive', now: number): void {
  const { checks, reachable } = site;
  if (checks === null || checks.result !== null || !reachable) return;
  site.checks = { ...checks, result: { verdict, at: now, says: `Check answers: ${verdict}.` } };
}
