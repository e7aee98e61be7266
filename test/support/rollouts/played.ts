// A rollout as its turns do it, in virtual time: each site that is changed becomes Ready after a while, and a
// person approves each stage that asks. Nothing else changes.
import { stagesOf } from '../../../workflows/stages/membership.ts';
import { plan } from '../../../workflows/stages/plan/plan.ts';
import { approve } from '../../../workflows/stages/rollout.ts';
import type { Hold, PlanInput, Target } from '../../../workflows/stages/types.ts';
import type { Random } from '../builders/random.ts';

export interface Played {
  /** `<stage> <site>=<revision>`, in the order in which sites were changed. */
  readonly changed: readonly string[];
  /** Stages that were approved, in order. */
  readonly approved: readonly string[];
  /** Null when it came to its end. */
  readonly stop: Hold | null;
}

/** Less than the shortest deadline of random strategies. */
const LONGEST_MS = 20_000;
const MOST_TURNS = 5_000;

export function play(input: PlanInput, start: number, chance: Random): Played {
  const stageOf = new Map(
    stagesOf(input).flatMap(({ name, sites }) => sites.map(({ cluster }) => [cluster, name] as const)),
  );
  const readyAt = new Map<string, number>();
  const changed: string[] = [];
  const approved: string[] = [];
  let { targets, rollout } = input;
  let now = start;
  // A revision that has no future does not become Ready by itself: that would be news.
  const coming = ({ reachable, revision, verdict }: Target): boolean =>
    reachable &&
    verdict === 'Progressing' &&
    revision !== null &&
    (revision === rollout.settled || (rollout.direction === 'Forward' && revision === rollout.revision));
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const next = plan({ ...input, targets, rollout }, now);
    rollout = next.rollout;
    for (const { cluster, revision } of next.advance)
      changed.push(`${stageOf.get(cluster)} ${cluster}=${revision}`);
    const given = new Map(next.advance.map(({ cluster, revision }) => [cluster, revision]));
    targets = targets.map((target) => {
      const revision = given.get(target.cluster);
      return revision === undefined ? target : { ...target, revision, verdict: 'Progressing', since: now };
    });
    // Checks that are asked for pass at once.
    targets = targets.map((target) => {
      const { cluster, ...ask } = next.verify?.find((one) => one.cluster === target.cluster) ?? {};
      if (cluster === undefined || !('round' in ask)) return target;
      const result = { verdict: 'Passed', at: now, says: '' } as const;
      return { ...target, verification: { ...ask, until: now, result } };
    });
    for (const target of targets)
      if (coming(target) && !readyAt.has(target.cluster))
        readyAt.set(target.cluster, now + 1 + Math.floor(chance.next() * LONGEST_MS));
    if (readyAt.size > 0) {
      now = Math.min(...readyAt.values());
      const time = now;
      targets = targets.map((target) =>
        (readyAt.get(target.cluster) ?? Infinity) > time
          ? target
          : { ...target, verdict: 'Ready', since: time },
      );
      for (const [cluster, at] of readyAt) if (at <= time) readyAt.delete(cluster);
    } else if (next.hold === null) return { changed, approved, stop: null };
    else if (next.hold.reason === 'AwaitsApproval') {
      const stage = next.stages.find(({ state }) => state !== 'Passed')?.name ?? '';
      approved.push(stage);
      rollout = approve(rollout, stage);
    } else if (next.verify !== undefined) continue;
    else if (next.hold.until !== null && next.hold.until > now) now = next.hold.until;
    else return { changed, approved, stop: next.hold };
  }
  throw new Error(`The rollout did not end within ${MOST_TURNS} turns`);
}
