// What the site's operator may set for all Capps of a site: the targets of the autoscaler. The figures are container-app-operator's.
import type { CappSpec } from '../../crds/capp/capp.ts';

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
