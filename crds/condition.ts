// When a condition has changed, as Kubernetes means it (API conventions, "Typical status properties").
import type { Condition } from './capp/conditions.ts';

type Said = Omit<Condition, 'lastTransitionTime'>;

/**
 * The condition with its time, which moves only when its status does: that of the same type among `before`,
 * or `now`. Times are RFC 3339.
 */
export function conditionSince<T extends Said>(
  before: readonly Condition[] | undefined,
  said: T,
  now: string,
): T & Pick<Condition, 'lastTransitionTime'> {
  const known = before?.find(({ type }) => type === said.type);
  const isSame = known?.status === said.status;
  return { ...said, lastTransitionTime: isSame ? known.lastTransitionTime : now };
}
