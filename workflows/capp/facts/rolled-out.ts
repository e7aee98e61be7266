// Generations about which a site has just given its first verdict, for metrics. Pure.
import type { State } from '../state.ts';

export interface RolledOut {
  readonly result: 'Ready' | 'Failed';
  /** Milliseconds from sending it to the verdict. */
  readonly took: number;
}

/** A verdict that changes, such as a Ready copy that fails later, is no rollout. */
export function rolledOut(before: State, after: State): RolledOut[] {
  return Object.entries(after.copies).flatMap(([cluster, { stamp, finding, appliedAt, heardAt }]) => {
    const known = before.copies[cluster];
    const verdict = finding?.verdict ?? 'Progressing';
    const isOld = known?.stamp === stamp && (known?.finding?.verdict ?? 'Progressing') !== 'Progressing';
    if (stamp === null || verdict === 'Progressing' || isOld) return [];
    return [{ result: verdict, took: Math.max(0, heardAt - appliedAt) }];
  });
}
