// Knative's annotations for scaling, in each spelling that it reads (knative.dev/serving,
// pkg/apis/autoscaling/register.go).

export const AUTOSCALING = 'autoscaling.knative.dev/';

/** Those that Knative also reads as older versions spelled them: `min-scale` as `minScale`. */
const WITH_OLDER = new Set([
  'initial-scale',
  'max-scale',
  'metric-aggregation-algorithm',
  'min-scale',
  'panic-threshold-percentage',
  'panic-window-percentage',
  'scale-down-delay',
  'scale-to-zero-pod-retention-period',
  'target-burst-capacity',
  'target-utilization-percentage',
]);

/** By the name that it has today. */
export const SCALING: readonly string[] = [
  ...WITH_OLDER,
  'activation-scale',
  'class',
  'metric',
  'target',
  'window',
];

/**
 * What Knative's autoscaler by KEDA reads beside those, where a site has it
 * (knative-extensions/autoscaler-keda, pkg/reconciler/autoscaling/hpa/resources/keda.go).
 */
export const SCALING_BY_KEDA: readonly string[] = [
  'extra-prometheus-triggers',
  'metric-type',
  'prometheus-address',
  'prometheus-query',
  'scaled-object-override',
  'scaling-modifiers',
  'trigger-prometheus-auth-kind',
  'trigger-prometheus-auth-modes',
  'trigger-prometheus-auth-name',
];

type Annotations = Readonly<Record<string, unknown>>;

/** The keys under which Knative looks for it; the first that is there counts. */
export function spellingsOf(name: string): readonly string[] {
  const older = name.replaceAll(/-[a-z]/g, (part) => part.slice(1).toUpperCase());
  return [name, ...(WITH_OLDER.has(name) ? [older] : [])].map((one) => `${AUTOSCALING}${one}`);
}

/** The key that counts; null if there is none. */
export function keyIn(annotations: Annotations, name: string): string | null {
  return spellingsOf(name).find((key) => annotations[key] !== undefined) ?? null;
}
