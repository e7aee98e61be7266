// Knative conditions, with the time of their last transition.
import { stamp } from '../pods/container-status.ts';

export interface NewCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

export interface KnativeCondition extends NewCondition {
  readonly lastTransitionTime?: string;
}

/** The new condition. Its lastTransitionTime changes only with its status. `now` in Unix milliseconds. */
export function condition(
  before: readonly KnativeCondition[] | undefined,
  next: NewCondition,
  now: number,
): KnativeCondition {
  const old = before?.find(({ type, status }) => type === next.type && status === next.status);
  return { lastTransitionTime: old?.lastTransitionTime ?? stamp(now), ...next };
}
