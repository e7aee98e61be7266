// How many Capps of a site have each condition with each status: pure.
import type { Capp } from '../crds/capp/capp.ts';

export interface ConditionCount {
  readonly condition: string;
  readonly status: string;
  readonly capps: number;
}

export function countConditions(capps: readonly Capp[]): readonly ConditionCount[] {
  const counts = new Map<string, ConditionCount>();
  for (const { status } of capps)
    for (const { type: condition, status: value } of status?.conditions ?? []) {
      const key = `${condition} ${value}`;
      const before = counts.get(key)?.capps ?? 0;
      counts.set(key, { condition, status: value, capps: before + 1 });
    }
  return [...counts.values()];
}
