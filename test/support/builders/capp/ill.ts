// A Capp that asks to leave its site when it is unhealthy there, and how it gets so.
import { afterAnswer } from '../../../../workflows/capp/after/answer.ts';
import { afterChoice } from '../../../../workflows/capp/after/choice.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Choice } from '../../../../workflows/ports/choice.ts';
import type { Copy, Finding } from '../../../../workflows/types/copy.ts';
import { aFinding, aLeave, aPlacedState, aRecord, MINUTE, NOW } from '../states.ts';

export const STAMP = 'uid-1/1/hash/one';
export const BEARS = 5 * MINUTE;
export const DAY = 86_400_000;
export const LATE = NOW + BEARS;

/** On site-1 at generation 1; it asks to leave when it is unhealthy, and its first deadline is over. */
export function bearing(copy: Partial<Copy> = {}, plain: Partial<State> = {}): State {
  const deadline = NOW - MINUTE;
  return aPlacedState(
    { unhealthyMs: BEARS, published: 'said', ...plain },
    { deadline, finding: null, ...copy },
  );
}

export function hears(state: State, finding: Finding | null, now: number, cluster = 'site-1'): State {
  const answer = finding === null ? null : { finding, mirror: null };
  return afterAnswer(state, cluster, { stamp: state.copies[cluster]?.stamp ?? STAMP, answer }, now);
}

export const FAILED = aFinding('Failed');
export const wasReady = (plain: Partial<State> = {}): State =>
  hears(bearing({}, plain), aFinding(), NOW - DAY / 2);
export const turned = (plain: Partial<State> = {}): State => hears(wasReady(plain), FAILED, NOW);
/** Unhealthy for five minutes, as its agent has confirmed just then. */
export const ill = (plain: Partial<State> = {}): State => hears(turned(plain), FAILED, LATE);

export const step = (state: State, now: number): string => {
  const next = nextStep(state, now);
  return 'cluster' in next
    ? `${next.do} ${next.cluster}`
    : 'until' in next
      ? `${next.do} ${next.until}`
      : next.do;
};

export function leaves(plain: Partial<Extract<Choice, { outcome: 'Leaves' }>> = {}): Choice {
  const { terms } = aLeave();
  const known = { generation: 1, site: '', handled: null, unreachable: [], works: [] };
  const why = { reason: 'Unhealthy', message: 'It is unhealthy', to: 'site-2', pinned: false } as const;
  const go = { record: aRecord('site-2'), terms, request: null, priority: 0 };
  return { outcome: 'Leaves', ...why, ...go, ...known, ...plain };
}

export function stays(
  reason: Extract<Choice, { outcome: 'Stays' }>['reason'],
  message = 'It stays.',
): Choice {
  return {
    outcome: 'Stays',
    reason,
    message,
    generation: 1,
    site: '',
    handled: null,
    unreachable: [],
    works: [],
  };
}

export const looked = (state: State, choice: Choice, now: number): State =>
  afterChoice(state, state, choice, now);
