// A plan while nobody knows which sites are selected.
import type { Plan, Rollout } from '../../../workflows/stages/types.ts';

/**
 * The sites that are selected may be others than those that are known: these prove no stage, and are not
 * changed.
 */
export function onHold(plan: Plan, rollout: Rollout): Plan {
  return { ...plan, advance: [], rollout, done: plan.done && plan.rollout === rollout };
}
