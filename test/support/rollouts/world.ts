// Sites that a simulated rollout changes. They know nothing of the planner: they get revisions, and become Ready or not.
import type { Target } from '../../../workflows/stages/types.ts';
import type { Random } from '../builders/random.ts';

export interface SimulatedSite {
  readonly cluster: string;
  labels: Record<string, string>;
  reachable: boolean;
  /** With which its copy was last written. */
  revision: string | null;
  writtenAt: number;
  generation: number;
  /** What the site says, and about which write: after one it speaks of the earlier one for a while. */
  said: { readonly generation: number; readonly verdict: Target['verdict']; readonly at: number };
}

/** A target that believes nothing about an earlier write. */
export function targetOf(site: SimulatedSite): Target {
  const { cluster, labels, reachable, revision, writtenAt, said } = site;
  const isHeard = revision !== null && said.generation === site.generation;
  return {
    cluster,
    labels,
    reachable,
    revision,
    verdict: isHeard ? said.verdict : 'Progressing',
    since: isHeard ? Math.max(said.at, writtenAt) : writtenAt,
  };
}

export function newSite(cluster: string, chance: Random, now: number): SimulatedSite {
  return {
    cluster,
    labels: { tier: chance.pick(['canary', 'edge', 'edge']) },
    reachable: !chance.chance(0.15),
    revision: null,
    writtenAt: now,
    generation: 0,
    said: { generation: 0, verdict: 'Ready', at: now },
  };
}

export function write(site: SimulatedSite, revision: string, now: number): void {
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
