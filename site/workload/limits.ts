// The most that a site lets a Capp ask for: what exceeds it is lowered, and the Capp says so. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import type { Part } from '../status/ready.ts';
import { AUTOSCALING, type Limits } from './autoscaling.ts';
import { goDuration, secondsOf } from './go-duration.ts';

type Annotations = Readonly<Record<string, string>>;

const MIN = `${AUTOSCALING}min-scale`;
const MAX = `${AUTOSCALING}max-scale`;
const ACTIVATION = `${AUTOSCALING}activation-scale`;
const DELAY = `${AUTOSCALING}scale-down-delay`;

/**
 * The annotations of a revision's template, wherever they come from, within the limits and consistent with
 * each other.
 */
export function limited(given: Annotations, limits: Limits): Annotations {
  const lowered = new Map<string, string>();
  const value = (key: string): string | undefined => lowered.get(key) ?? given[key];
  if (limits.minReplicas !== null && Number(given[MIN]) > limits.minReplicas)
    lowered.set(MIN, String(limits.minReplicas));
  if (limits.maxReplicas !== null && isAbove(given[MAX], limits.maxReplicas))
    lowered.set(MAX, String(limits.maxReplicas));
  if (limits.scaleDelaySeconds !== null && secondsOf(given[DELAY] ?? '') > limits.scaleDelaySeconds)
    lowered.set(DELAY, goDuration(limits.scaleDelaySeconds));
  // Knative refuses a maximum below the others.
  const max = Number(value(MAX) ?? 0);
  for (const key of [MIN, ACTIVATION])
    if (lowered.has(MAX) && Number(value(key)) > max) lowered.set(key, String(max));
  const { [ACTIVATION]: activation, ...rest } = { ...given, ...Object.fromEntries(lowered) };
  // Nor does it take an activation scale of 1, which is what it does without.
  return activation === undefined || (lowered.has(ACTIVATION) && max < 2)
    ? rest
    : { ...rest, [ACTIVATION]: activation };
}

/** For Knative a maximum of 0 is none. */
function isAbove(given: string | undefined, limit: number): boolean {
  return given !== undefined && (Number(given) > limit || Number(given) === 0);
}

/** Null for a Capp that asks for no more than the site allows. */
export function scaleReady({ spec: { scaleSpec } }: Capp, limits: Limits): Part | null {
  const exceeded = [
    ['minReplicas', 'minReplicasLimit', limits.minReplicas] as const,
    ['maxReplicas', 'maxReplicasLimit', limits.maxReplicas] as const,
    ['scaleDelaySeconds', 'maxScaleDelay', limits.scaleDelaySeconds] as const,
  ].filter(([field, , limit]) => limit !== null && (scaleSpec?.[field] ?? 0) > limit);
  if (exceeded.length === 0) return null;
  const said = exceeded.map(
    ([field, name, limit]) => `spec.scaleSpec.${field} is above ${limit} (${name}), so ${limit} is used`,
  );
  const message = `The site's CappConfig allows less: ${said.join('; ')}. Lower the field, or ask whoever runs the site.`;
  return { type: 'ScaleReady', status: 'False', reason: 'LimitExceeded', message };
}
