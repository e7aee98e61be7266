// One condition as Knative writes it, keeping the time of its last change.
import { stamp } from '../pods/container-status.ts';

export interface Said {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

export interface Condition extends Said {
  readonly lastTransitionTime?: string;
}

/** `now` in Unix milliseconds. */
export function condition(before: readonly Condition[] | undefined, said: Said, now: number): Condition {
  const old = before?.find(({ type, status }) => type === said.type && status === said.status);
  return { lastTransitionTime: old?.lastTransitionTime ?? stamp(now), ...said };
}
