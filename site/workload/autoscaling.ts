// The autoscaling annotations of a Knative revision: container-app-operator's table.
import type { Capp, CappSpec } from '../../crds/capp/capp.ts';
import { AUTOSCALING, keyIn } from '../../crds/knative/autoscaling.ts';
import { goDuration } from '../../crds/knative/go-duration.ts';
import { scalerOf } from '../../crds/knative/scaler.ts';

/** The most that a Capp may ask for; null for no limit. */
export interface ScaleLimits {
  readonly minReplicas: number | null;
  readonly maxReplicas: number | null;
  readonly scaleDelaySeconds: number | null;
  /** For how long the last replica is kept; without it as `scaleDelaySeconds`. */
  readonly retentionSeconds?: number | null;
  /**
   * Over how long the load is averaged; without it as `scaleDelaySeconds`, but no less than Knative's own.
   */
  readonly windowSeconds?: number | null;
}

export const NO_LIMITS: ScaleLimits = { minReplicas: null, maxReplicas: null, scaleDelaySeconds: null };

export interface Autoscale {
  /** What one replica should carry, by metric: requests, requests a second, percent of cpu, MiB of memory. */
  readonly targets: Readonly<Record<CappSpec['scaleMetric'], number>>;
  /** Replicas to start with when scaling from zero and the Capp names no minimum. */
  readonly activationScale: number;
  readonly limits: ScaleLimits;
}

export const DEFAULT_AUTOSCALE: Autoscale = {
  targets: { concurrency: 10, cpu: 80, memory: 70, rps: 200 },
  activationScale: 3,
  limits: NO_LIMITS,
};

type Annotations = Readonly<Record<string, string>>;

/**
 * Takes a normalised Capp. Keys are set on the revision's template, beside the user's own (`withOwn`): by
 * which metric is scaled, and so what one replica should carry, may be said there.
 */
export function autoscaling(capp: Capp, autoscale: Autoscale, own: Annotations = {}): Record<string, string> {
  const { scaleMetric, scaleSpec } = capp.spec;
  const scaler = scalerOf(scaleMetric, own);
  const target = targetOf(autoscale, scaler.metric);
  const { minReplicas, maxReplicas, scaleDelaySeconds } = scaleSpec ?? {};
  return {
    [`${AUTOSCALING}class`]: scaler.class,
    ...(scaler.metric === null ? {} : { [`${AUTOSCALING}metric`]: scaler.metric }),
    ...(target === undefined ? {} : { [`${AUTOSCALING}target`]: String(target) }),
    ...(minReplicas === undefined
      ? activation(autoscale, maxReplicas)
      : { [`${AUTOSCALING}min-scale`]: String(minReplicas) }),
    ...(maxReplicas === undefined ? {} : { [`${AUTOSCALING}max-scale`]: String(maxReplicas) }),
    ...(scaleDelaySeconds === undefined
      ? {}
      : { [`${AUTOSCALING}scale-down-delay`]: goDuration(scaleDelaySeconds) }),
  };
}

/** Of a metric that no site knows a site has no figure. */
function targetOf({ targets }: Autoscale, metric: string | null): number | undefined {
  const figures = new Map<string | null, number>(Object.entries(targets));
  return figures.get(metric);
}

/** Knative refuses an activation scale above the maximum, and one below 2. */
function activation(autoscale: Autoscale, maxReplicas: number | undefined): Record<string, string> {
  const scale = Math.min(autoscale.activationScale, maxReplicas ?? autoscale.activationScale);
  return scale < 2 ? {} : { [`${AUTOSCALING}activation-scale`]: String(scale) };
}

const ACTIVATION = `${AUTOSCALING}activation-scale`;

/**
 * Ours with the user's, which win in every spelling that Knative reads. Of ours an activation scale that does
 * not fit the user's minimum and maximum is lowered, or left out: Knative would refuse it.
 */
export function withOwn(computed: Annotations, own: Annotations): Record<string, string> {
  const kept = Object.entries(computed).filter(([key]) => keyIn(own, key.slice(AUTOSCALING.length)) === null);
  const { [ACTIVATION]: activation, ...rest } = { ...Object.fromEntries(kept), ...own };
  if (activation === undefined || own[ACTIVATION] !== undefined)
    return activation === undefined ? rest : { ...rest, [ACTIVATION]: activation };
  const valueOf = (name: string): number => Number(rest[keyIn(rest, name) ?? ''] ?? 0);
  const [min, max] = [valueOf('min-scale'), valueOf('max-scale')];
  const scale = max > 0 ? Math.min(Number(activation), max) : Number(activation);
  return scale < 2 || min > scale ? rest : { ...rest, [ACTIVATION]: String(scale) };
}
