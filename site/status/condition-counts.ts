// How many Capps of a site have each condition with each status: pure.
import type { Capp } from '../../crds/capp/capp.ts';

export interface ConditionCount {
  readonly condition: string;
  readonly status: string;
  readonly capps: number;
}

/** Those of condition Ready also where there is none, so that a graph shows 0 and not a gap. */
export function countConditions(capps: readonly Capp[]): readonly ConditionCount[] {
  const counts = new Map<string, ConditionCount>();
  const count = (condition: string, status: string, more: number): void => {
    const key = `${condition} ${status}`;
    counts.set(key, { condition, status, capps: (counts.get(key)?.capps ?? 0) + more });
  };
  for (const status of ['True', 'False', 'Unknown']) count('Ready', status, 0);
  for (const { status } of capps)
    for (const { type, status: value } of status?.conditions ?? []) count(type, value, 1);
  return [...counts.values()];
}
