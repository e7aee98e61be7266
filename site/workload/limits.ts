// The most that a site lets a Capp ask for: what exceeds it is lowered, and the Capp says so. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import type { ReadyPart } from '../status/ready.ts';
import { AUTOSCALING, keyIn } from '../../crds/knative/autoscaling.ts';
import { autoscaling, DEFAULT_AUTOSCALE, type ScaleLimits, withOwn } from './autoscaling.ts';
import { goDuration, secondsOf } from '../../crds/knative/go-duration.ts';

type Annotations = Readonly<Record<string, string>>;

const ACTIVATION = `${AUTOSCALING}activation-scale`;

/**
 * The annotations of a revision's template, wherever they come from and in each spelling that Knative reads,
 * within the limits and consistent with each other.
 */
export function limited(given: Annotations, limits: ScaleLimits): Annotations {
  const lowered = new Map<string, string>();
  const value = (name: string): string | undefined => {
    const key = keyIn(given, name) ?? '';
    return lowered.get(key) ?? given[key];
  };
  const lower = (name: string, to: string): void => void lowered.set(keyIn(given, name) ?? '', to);
  const { minReplicas, maxReplicas } = limits;
  if (minReplicas !== null && Number(value('min-scale')) > minReplicas)
    lower('min-scale', String(minReplicas));
  const isCut = maxReplicas !== null && isAbove(value('max-scale'), maxReplicas);
  if (isCut) lower('max-scale', String(maxReplicas));
  for (const [name, most] of startsOf(maxReplicas, Number(value('min-scale') ?? 0)))
    if (Number(value(name)) > most) lower(name, String(most));
  for (const [name, most] of delaysOf(limits))
    if (secondsOf(value(name) ?? '') > most) lower(name, goDuration(most));
  const max = Number(value('max-scale') ?? 0);
  // Knative refuses a maximum below the others.
  const others = isCut ? ['min-scale', 'activation-scale'].filter((name) => Number(value(name)) > max) : [];
  for (const name of others) lower(name, String(max));
  return withActivation({ ...given, ...Object.fromEntries(lowered) }, lowered.get(ACTIVATION) ?? null);
}

/**
 * How many replicas there may be at first, and when there were none. Knative refuses an activation scale
 * below the minimum, which may be above the most where nobody names a maximum.
 */
function startsOf(most: number | null, min: number): readonly (readonly [name: string, most: number])[] {
  if (most === null) return [];
  return [
    ['initial-scale', most],
    ['activation-scale', Math.max(most, min)],
  ];
}

/**
 * Knative takes no activation scale of 1, which is what it does without. `lowered`: to what it was lowered,
 * or null.
 */
function withActivation(given: Annotations, lowered: string | null): Annotations {
  const { [ACTIVATION]: activation, ...rest } = given;
  const isNone = activation === undefined || (lowered !== null && Number(lowered) < 2);
  return isNone ? rest : { ...rest, [ACTIVATION]: activation };
}

/** For Knative a maximum of 0 is none. */
function isAbove(given: string | undefined, limit: number): boolean {
  return given !== undefined && (Number(given) > limit || Number(given) === 0);
}

/** What Knative takes where nobody says a window: with less an app would scale otherwise than all others. */
const USUAL_WINDOW_S = 60;

function delaysOf(limits: ScaleLimits): readonly (readonly [name: string, most: number])[] {
  const { scaleDelaySeconds, retentionSeconds = scaleDelaySeconds } = limits;
  const widest = scaleDelaySeconds === null ? null : Math.max(scaleDelaySeconds, USUAL_WINDOW_S);
  const { windowSeconds = widest } = limits;
  return [
    ['scale-down-delay', scaleDelaySeconds ?? Infinity],
    ['scale-to-zero-pod-retention-period', retentionSeconds ?? Infinity],
    ['window', windowSeconds ?? Infinity],
  ];
}

/**
 * For how long replicas are kept that nobody needs: any of them, the last one, and all that the load of
 * before asked for.
 */
const DELAYS = ['scale-down-delay', 'scale-to-zero-pod-retention-period', 'window'] as const;
const LIMITED = ['min-scale', 'max-scale', 'initial-scale', 'activation-scale', ...DELAYS] as const;

/** Of the annotations of one Capp's template, under two limits: whether the first ones ask for more. */
export function asksForMore(annotations: Annotations, than: Annotations): boolean {
  const amount = (name: (typeof LIMITED)[number], given: Annotations): number => {
    const text = given[keyIn(given, name) ?? ''] ?? '';
    if (DELAYS.some((one) => one === name)) return secondsOf(text);
    return name === 'max-scale' && Number(text) === 0 ? Infinity : Number(text);
  };
  return LIMITED.some((name) => amount(name, annotations) > amount(name, than));
}

const ANNOTATIONS = 'spec.configurationSpec.template.metadata.annotations';

/**
 * Null for a Capp that asks for no more than the site allows, by its fields and by the annotations of its
 * template.
 */
export function scaleReady(capp: Capp, limits: ScaleLimits): ReadyPart | null {
  const { scaleSpec } = capp.spec;
  const exceeded = [
    ['minReplicas', 'minReplicasLimit', limits.minReplicas] as const,
    ['maxReplicas', 'maxReplicasLimit', limits.maxReplicas] as const,
    ['scaleDelaySeconds', 'maxScaleDelay', limits.scaleDelaySeconds] as const,
  ].filter(([field, , limit]) => limit !== null && (scaleSpec?.[field] ?? 0) > limit);
  const said = [
    ...exceeded.map(
      ([field, name, limit]) => `spec.scaleSpec.${field} is above ${limit} (${name}), so ${limit} is used`,
    ),
    ...loweredOf(capp, limits),
  ];
  if (said.length === 0) return null;
  const isNamed = typeof capp.spec.configurationSpec.template.metadata?.name === 'string';
  const keeps = isNamed ? ' A revision that you have named keeps what it was made with.' : '';
  const message = `The site's CappConfig allows less: ${said.join('; ')}. Lower it, or ask whoever runs the site.${keeps}`;
  return { type: 'ScaleReady', status: 'False', reason: 'LimitExceeded', message };
}

/** Of the annotations that the user wrote those that the limits lower. */
function loweredOf(capp: Capp, limits: ScaleLimits): string[] {
  const own = Object.fromEntries(
    Object.entries(capp.spec.configurationSpec.template.metadata?.annotations ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
  const before = withOwn(autoscaling(capp, DEFAULT_AUTOSCALE, own), own);
  const after = limited(before, limits);
  return LIMITED.flatMap((name) => {
    const key = keyIn(own, name) ?? '';
    if (own[key] === undefined || after[key] === own[key]) return [];
    const used = after[key] === undefined ? 'none is used' : `${after[key]} is used`;
    const [field, most] = limitOf(name, after[key] ?? null, limits);
    const what =
      name === 'max-scale' && Number(own[key]) === 0 ? 'has no maximum, and gets that' : 'is above the limit';
    return [`${ANNOTATIONS}[${key}] ${what} of ${most} (${field}), so ${used}`];
  });
}

/** The field of the CappConfig by which it was lowered to what is used, and what that allows. */
function limitOf(
  name: (typeof LIMITED)[number],
  used: string | null,
  { minReplicas, maxReplicas, scaleDelaySeconds }: ScaleLimits,
): readonly [field: string, most: string] {
  if (DELAYS.some((one) => one === name)) {
    const least = name === 'window' ? USUAL_WINDOW_S : 0;
    return ['maxScaleDelay', goDuration(Math.max(scaleDelaySeconds ?? 0, least))];
  }
  return name === 'min-scale' && used === String(minReplicas)
    ? ['minReplicasLimit', String(minReplicas)]
    : ['maxReplicasLimit', String(maxReplicas)];
}
