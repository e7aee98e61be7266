// What `wait` may wait for, and when that is so. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { conditionIn } from './phase.ts';

export type Goal =
  | { readonly kind: 'ready' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'site'; readonly site: string }
  | { readonly kind: 'condition'; readonly type: string; readonly status: string };

/** For messages, behind "is none of". */
export const GOALS = 'ready, deleted, site=<site>, <condition>=<status>';

/** Null for what is no goal. */
export function goalFrom(text: string): Goal | null {
  if (text === 'ready' || text === 'deleted') return { kind: text };
  const [, left, right] = /^([A-Za-z]+)=([\w.-]+)$/.exec(text) ?? [];
  if (left === undefined || right === undefined) return null;
  if (left === 'site') return { kind: 'site', site: right };
  const status = STATUSES.find((one) => one.toLowerCase() === right.toLowerCase());
  return status === undefined ? null : { kind: 'condition', type: left, status };
}

/** Of conditions; nobody waits for another one, as in kubectl's `condition=Ready`. */
const STATUSES = ['True', 'False', 'Unknown'] as const;

export interface GoalEnd {
  readonly is: 'reached' | 'missed';
  /** One sentence. */
  readonly sentence: string;
}

/** Null while it may still come. `capp` is null when it is gone. */
export function verdictOn(goal: Goal, capp: Capp | null): GoalEnd | null {
  if (goal.kind === 'deleted')
    return capp === null ? { is: 'reached', sentence: 'The Capp is gone, and so are its copies.' } : null;
  if (capp === null) return { is: 'missed', sentence: 'The Capp is gone from the hub.' };
  switch (goal.kind) {
    case 'ready':
      return readiness(capp);
    case 'site':
      return siteVerdict(capp, goal.site);
    case 'condition': {
      const found = conditionIn(capp, goal.type);
      return found?.status === goal.status && isOfNow(capp, found.observedGeneration)
        ? { is: 'reached', sentence: `${goal.type} is ${goal.status}: ${found.message}` }
        : null;
    }
  }
}

function isOfNow({ metadata }: Capp, observed: number | undefined): boolean {
  return (observed ?? 0) >= (metadata.generation ?? 0);
}

/** A deadline that has passed ends the wait: somebody has to correct the Capp first. */
function readiness(capp: Capp): GoalEnd | null {
  const ready = conditionIn(capp, 'Ready');
  const stalled = conditionIn(capp, 'Stalled');
  if (ready?.status === 'True' && isOfNow(capp, ready.observedGeneration)) {
    const site = capp.status?.applicationLinks?.site;
    return { is: 'reached', sentence: `The Capp is Ready${site === undefined ? '' : ` on ${site}`}.` };
  }
  return stalled?.status === 'True' && isOfNow(capp, stalled.observedGeneration)
    ? { is: 'missed', sentence: stalled.message }
    : null;
}

function siteVerdict(capp: Capp, site: string): GoalEnd | null {
  const isThere = capp.status?.applicationLinks?.site === site;
  return isThere && conditionIn(capp, 'Migrating')?.status !== 'True'
    ? { is: 'reached', sentence: `The Capp serves on ${site}.` }
    : null;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** `90s`, `10m`, `2h` in milliseconds; null for anything else. */
export function durationFrom(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
}
