// Which stages have passed, and what keeps the first that has not.
import type { StageView } from './sites.ts';
import type { PlanInput, Rollout } from './types.ts';

/** What a stage waits for. `until` is in milliseconds since the epoch. */
export type Gate =
  | { readonly is: 'Passed' }
  | { readonly is: 'AwaitsApproval' | 'Working' | 'SitesOffline' | 'Unproven' }
  | { readonly is: 'Soaking'; readonly until: number };

interface GateInput {
  readonly input: PlanInput;
  /** Some site belongs to a later stage, which this one protects. */
  readonly protects: boolean;
  readonly now: number;
}

/**
 * Only a copy that is Ready at exactly this revision counts; what nobody has seen Ready is not settled either. Failures
 * are bounded elsewhere.
 */
export function gateOf(view: StageView, { input, protects, now }: GateInput): Gate {
  const { stage, due, underWay, ready, offline } = view;
  const { strategy, rollout } = input;
  if (stage.needsApproval && !rollout.approved.includes(stage.name)) return { is: 'AwaitsApproval' };
  if (due.length > 0 || underWay.length > 0) return { is: 'Working' };
  if (strategy.offline === 'Wait' && offline.length > 0) return { is: 'SitesOffline' };
  if (ready.length === 0) return { is: protects || stage.sites.length > 0 ? 'Unproven' : 'Passed' };
  const until = Math.max(...ready.map(({ since }) => since)) + stage.soakMs;
  return now < until ? { is: 'Soaking', until } : { is: 'Passed' };
}

/** Every site had the revision that can be reached: it is the one to go back to. */
export function settle(rollout: Rollout): Rollout {
  const { revision, settled, before, closed, retries } = rollout;
  if (isSettled(rollout) && closed.length === 0 && Object.keys(retries).length === 0) return rollout;
  return {
    ...rollout,
    settled: revision,
    before: settled === revision ? before : settled,
    direction: 'Forward',
    halfway: [],
    approved: [],
    closed: [],
    retries: {},
    cause: null,
  };
}

export function isSettled({ revision, settled, direction }: Rollout): boolean {
  return direction === 'Forward' && revision === settled;
}

/** More sites have failed than may. */
export function isTooBad({ stage, failed }: StageView): boolean {
  return failed.length > stage.maxFailures;
}
