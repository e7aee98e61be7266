// Which autoscaler of Knative acts on a Capp, and by which metric: the spec says it, and annotations of its
// template win over that.
import type { CappSpec } from '../capp/capp.ts';
import { AUTOSCALING } from './autoscaling.ts';

type Metric = CappSpec['scaleMetric'];

export const KPA = 'kpa.autoscaling.knative.dev';
const HPA = 'hpa.autoscaling.knative.dev';
const CLASS: Readonly<Record<Metric, string>> = { concurrency: KPA, rps: KPA, cpu: HPA, memory: HPA };

export interface Scaler {
  /** The class as Knative writes it. */
  readonly class: string;
  /** Null where the class, of an autoscaler that is not Knative's, has to know. */
  readonly metric: string | null;
}

/**
 * A class of the user's that is not that of the metric of the spec has a metric of its own, unless the user
 * names one: that which Knative takes (knative.dev/serving, pkg/apis/autoscaling/v1alpha1/pa_defaults.go,
 * defaultMetric).
 */
export function scalerOf(scaleMetric: Metric, own: Readonly<Record<string, string>>): Scaler {
  const usual = CLASS[scaleMetric];
  const scaler = own[`${AUTOSCALING}class`] ?? usual;
  const metric = own[`${AUTOSCALING}metric`] ?? (scaler === usual ? scaleMetric : metricOf(scaler));
  return { class: scaler, metric };
}

function metricOf(scaler: string): Metric | null {
  if (scaler === KPA) return 'concurrency';
  return scaler === HPA ? 'cpu' : null;
}

export function isScaleMetric(name: string): name is Metric {
  return Object.hasOwn(CLASS, name);
}

/** Of the autoscaler that acts by the metric, where no annotation names another. */
export function scalingClassOf(metric: Metric): string {
  return CLASS[metric];
}

/**
 * Knative's own autoscaler counts requests alone (pkg/apis/autoscaling/annotation_validation.go,
 * validateMetric).
 */
export function isKnownTo(scaler: string, metric: string): boolean {
  if (scaler === KPA) return isScaleMetric(metric) && CLASS[metric] === KPA;
  return scaler !== HPA || metric !== '';
}
