// A story as the planner alone tells it.
import { doneSaid } from '../../../activities/hub/rollout/telling/said.ts';
import { Strategy } from '../../../crds/rollout/stages.ts';
import { plan } from '../../../workflows/stages/plan/plan.ts';
import { abort, approve, begin, retry } from '../../../workflows/stages/rollout.ts';
import type { Rollout, Target } from '../../../workflows/stages/types.ts';
import { READY_SECONDS, type Story, type StoryRequest } from './stories.ts';
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
  return {
    approve: (stage) => void (rollout = approve(rollout, stage)),
    ask: (what) => {
      asked = what;
    },
    look: async (now): Promise<Moment> => {
      settle(now);
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
            on.set(cluster, { ...target, revision, verdict: 'Progressing', since: now });
        }
        if (planned.advance.length > 0) continue;
        const { reason, message } = planned.hold ?? {
          reason: 'Done',
          message: doneSaid(planned),
        };
        return { gets, reason, message, wakeAt: planned.wakeAt, isDone: planned.done };
      }
    },
  };
}

function after(asked: StoryRequest, rollout: Rollout, now: number): Rollout {
  if (asked === 'abort') return abort(rollout);
  return asked === 'retry' ? retry(rollout, 'All', now) : begin(rollout, 'old', now);
}
