// Sites, strategies and rollouts for tests of the planner.
import type { z } from 'zod';
import { Strategy } from '../../../../crds/rollout/stages.ts';
import type { RemovalMemory } from '../../../../workflows/stages/memory.ts';
import { begin } from '../../../../workflows/stages/rollout.ts';
import { plan } from '../../../../workflows/stages/plan/plan.ts';
import type { StagePlan, Rollout, Target } from '../../../../workflows/stages/types.ts';
import { NOW } from '../states.ts';
import { settle } from '../../../../workflows/stages/gates.ts';

type Given = z.input<typeof Strategy>;

/** As a status has it, but for the revisions. */
export const JUST_BEGUN = {
  direction: 'Forward' as const,
  begunAt: 0,
  halfway: [],
  approved: [],
  closed: [],
  paused: false,
  aborted: false,
  retries: {},
};

/** Nothing was removed, and nothing is allowed. */
export const NO_REMOVAL: RemovalMemory = {
  recent: [],
  allowed: 0,
  approved: null,
  number: null,
  placement: null,
  lowered: 0,
};

/** Ready at `old` since an hour. */
export function aTarget(cluster: string, changes: Partial<Target> = {}): Target {
  return {
    cluster,
    labels: {},
    reachable: true,
    revision: 'old',
    verdict: 'Ready',
    since: NOW - 3_600_000,
    ...changes,
  };
}

/** `s1` to `s<count>`. */
export function targets(count: number, changes: Partial<Target> = {}): readonly Target[] {
  return Array.from({ length: count }, (_, index) => aTarget(`s${index + 1}`, changes));
}

export function aStrategy(given: Given = {}): Strategy {
  return Strategy.parse(given);
}

/** From `old`, which is settled, to `new`. */
export function aRollout(changes: Partial<Rollout> = {}): Rollout {
  const first = { ...begin(null, 'old', NOW - 7_200_000), settled: 'old' };
  return { ...begin(first, 'new', NOW), ...changes };
}

export function planned(
  given: readonly Target[],
  {
    strategy = {},
    rollout = {},
    now = NOW,
  }: { readonly strategy?: Given; readonly rollout?: Partial<Rollout>; readonly now?: number } = {},
): StagePlan {
  return plan(
    { targets: given, strategy: aStrategy(strategy), rollout: aRollout(rollout), seed: 'uid-1' },
    now,
  );
}

/** `s1=new` */
export function written({ advance }: StagePlan): readonly string[] {
  return advance.map(({ cluster, revision }) => `${cluster}=${revision}`);
}

/** When a site that is not Ready has failed, in milliseconds. */
export const DEADLINE = 900_000;

/** The labels of a canary. */
export const CANARY = { tier: 'canary' };

/** Ready at `new` for a minute. */
export const AT_NEW = { revision: 'new', since: NOW - 60_000 } as const;

/** The rollout to `new`, which is done. */
export const SETTLED = settle(aRollout());
