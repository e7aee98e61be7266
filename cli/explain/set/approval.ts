// Which stages a person may approve, and which of them wait for that: one rule, for commands and for the
// page. Pure.
import { rolloutView, type ExplainedFleet } from './rollout.ts';

export interface Approvable {
  /** Stages that an approval opens or lets pass, in their order. */
  readonly guarded: readonly string[];
  /** Those of them that wait for it, the next one first. */
  readonly waiting: readonly string[];
}

/** The checks of a stage that is open came to no verdict, so a person lets it pass. */
export function isInconclusive(reason: string): boolean {
  return reason === 'VerificationInconclusive';
}

export function approvableIn(fleet: ExplainedFleet): Approvable {
  const { stages, reason } = rolloutView(fleet);
  const isUnknown = isInconclusive(reason);
  const asked = fleet.object.spec.strategy.stages ?? [];
  const guarded = asked
    .filter(({ approval, verify }) => approval === 'Required' || (isUnknown && verify !== undefined))
    .map(({ name }) => name);
  const waits = isUnknown ? 'Open' : 'Waiting';
  return {
    guarded,
    waiting: guarded.filter((name) => stages.some((one) => one.name === name && one.state === waits)),
  };
}
