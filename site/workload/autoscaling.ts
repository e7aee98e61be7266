// The autoscaling annotations of a Knative revision: container-app-operator's table.
import type { Capp, CappSpec } from '../../crds/capp/capp.ts';

export interface Autoscale {
  /** What one replica should carry, by metric: requests, requests a second, percent of cpu, MiB of memory. */
  readonly targets: Readonly<Record<CappSpec['scaleMetric'], number>>;
  /** Replicas to start with when scaling from zero and the Capp names no minimum. */
  readonly activationScale: number;
}

export const DEFAULT_AUTOSCALE: Autoscale = {
  targets: { concurrency: 10, cpu: 80, memory: 70, rps: 200 },
  activationScale: 3,
};

export const AUTOSCALING = 'autoscaling.knative.dev/';

const CLASS = { concurrency: 'kpa', rps: 'kpa', cpu: 'hpa', memory: 'hpa' } as const;

/** Takes a normalised Capp. Keys are set on the revision's template. */
export function autoscaling(capp: Capp, autoscale: Autoscale): Record<string, string> {
  const { scaleMetric, scaleSpec } = capp.spec;
  const { minReplicas, maxReplicas, scaleDelaySeconds } = scaleSpec ?? {};
  return {
    [`${AUTOSCALING}class`]: `${CLASS[scaleMetric]}.autoscaling.knative.dev`,
    [`${AUTOSCALING}metric`]: scaleMetric,
    [`${AUTOSCALING}target`]: String(autoscale.targets[scaleMetric]),
    ...(minReplicas === undefined
      ? activation(autoscale, maxReplicas)
      : { [`${AUTOSCALING}min-scale`]: String(minReplicas) }),
    ...(maxReplicas === undefined ? {} : { [`${AUTOSCALING}max-scale`]: String(maxReplicas) }),
    ...(scaleDelaySeconds === undefined
      ? {}
      : { [`${AUTOSCALING}scale-down-delay`]: goDuration(scaleDelaySeconds) }),
  };
}

/** Knative refuses an activation scale above the maximum, and one below 2. */
function activation(autoscale: Autoscale, maxReplicas: number | undefined): Record<string, string> {
  const scale = Math.min(autoscale.activationScale, maxReplicas ?? autoscale.activationScale);
  return scale < 2 ? {} : { [`${AUTOSCALING}activation-scale`]: String(scale) };
}

/** Seconds as Go prints a duration: 0s, 45s, 1m30s, 1h0m0s. */
function goDuration(total: number): string {
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = `${total % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}
