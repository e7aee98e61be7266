// A story as the planner alone tells it.
import { doneSaid } from '../../../activities/hub/rollout/telling/said.ts';
import { HUB_TIMES } from '../../../activities/hub/times.ts';
import { Strategy } from '../../../crds/rollout/stages.ts';
import { travelling, type VerifyCheck } from '../../../crds/verification/check.ts';
import { plan } from '../../../workflows/stages/plan/plan.ts';
import { abort, approve, begin, retry } from '../../../workflows/stages/rollout.ts';
import type { Rollout, Target } from '../../../workflows/stages/types.ts';
import { judge, longestOf } from '../../../workflows/types/verification.ts';
import { CHECKED_SECONDS, figuresOf, READY_SECONDS, type Story, type StoryRequest } from './stories.ts';
import { EDITED_AT, isReachable, type Moment, type Teller } from './transcript.ts';

const HOUR = 3_600_000;

/** `seed`: the uid of the object. */
export function byPlanner(story: Story, seed: string): Teller {
  const strategy = Strategy.parse(story.strategy);
  const first = { ...begin(null, 'old', EDITED_AT - HOUR), settled: 'old' };
  let rollout: Rollout = begin(first, 'new', EDITED_AT);
  let asked: StoryRequest | null = null;
  const on = new Map<string, Target>(
    story.clusters.map((cluster) => [
      cluster,
      { cluster, labels: {}, reachable: true, revision: 'old', verdict: 'Ready', since: EDITED_AT - HOUR },
    ]),
  );
  const settle = (now: number): void => {
    for (const [cluster, target] of on) {
      if (target.verdict !== 'Progressing' || now < target.since + READY_SECONDS * 1_000) continue;
      const isFailing = target.revision === 'new' && story.failing?.includes(cluster) === true;
      on.set(cluster, { ...target, verdict: isFailing ? 'Failed' : 'Ready', since: now });
    }
  };
  const judged = (now: number): void => {
    for (const [cluster, target] of on) {
      const { verification: asked = null, ...rest } = target;
      if (asked === null || asked.result !== null || now < asked.until - lateBy(asked.checks)) continue;
      on.set(cluster, {
        ...rest,
        verification: { ...asked, result: resultOf(story, cluster, asked.checks, now) },
      });
    }
  };
  return {
    approve: (stage) => void (rollout = approve(rollout, stage)),
    ask: (what) => {
      asked = what;
    },
    look: async (now): Promise<Moment> => {
      settle(now);
      judged(now);
      let isAsked = false;
      if (asked !== null) rollout = after(asked, rollout, now);
      asked = null;
      const gets: Record<string, string[]> = {};
      for (;;) {
        const targets = [...on.values()].map((target) => ({
          ...target,
          reachable: isReachable(story, target.cluster, now),
        }));
        const planned = plan({ targets, strategy, rollout, seed }, now);
        rollout = planned.rollout;
        for (const { cluster, revision } of planned.advance) {
          (gets[revision] ??= []).push(cluster);
          const target = on.get(cluster);
          if (target !== undefined)
            on.set(cluster, { ...withoutChecks(target), revision, verdict: 'Progressing', since: now });
        }
        for (const { cluster, ...ask } of planned.verify ?? []) {
          isAsked = true;
          const target = on.get(cluster);
          const until = now + CHECKED_SECONDS * 1_000 + lateBy(ask.checks);
          if (target !== undefined)
            on.set(cluster, { ...target, verification: { ...ask, until, result: null } });
        }
        if (planned.advance.length > 0 || planned.verify !== undefined) continue;
        const { reason, message } = planned.hold ?? {
          reason: 'Done',
          message: doneSaid(planned),
        };
        return { gets, reason, message, wakeAt: planned.wakeAt, isDone: planned.done, isAsked };
      }
    },
  };
}

function withoutChecks({ verification: _before, ...target }: Target): Target {
  return target;
}

/** How long a verdict may take beyond what it takes in stories, in milliseconds, as a set has it. */
function lateBy(checks: string): number {
  const longest = longestOf({ checks: travelling(JSON.parse(checks) as VerifyCheck[]) });
  return 2 * longest + HUB_TIMES.verdictSpare.ms - CHECKED_SECONDS * 1_000;
}

/** The verdict by what the agent has counted, as the Capp's workflow makes it. */
function resultOf(story: Story, site: string, checks: string, now: number) {
  const asked = { key: '', checks: travelling(JSON.parse(checks) as VerifyCheck[]) };
  const { verdict, says } = judge(asked, site, figuresOf(story, now), now);
  return { verdict, at: now, says };
}

function after(asked: StoryRequest, rollout: Rollout, now: number): Rollout {
  if (asked === 'abort') return abort(rollout);
  return asked === 'retry' ? retry(rollout, 'All', now) : begin(rollout, 'old', now);
}
