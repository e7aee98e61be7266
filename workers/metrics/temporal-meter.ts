// A meter whose values Temporal's SDK serves beside its own, in processes with a worker.
import { Runtime } from '@temporalio/worker';
import { LabelBounds } from './bounds.ts';
import { METRICS, type Metric, type MetricName } from './catalogue.ts';
import type { Meter, MetricSample } from './meter.ts';
import { PROCESS_TIMES } from '../process/times.ts';

export interface TemporalMeter extends Meter {
  stop(): void;
}

/** For `installRuntime`: the upper bounds of our histograms, also of those that workflows record. */
export function histogramBuckets(): Record<string, number[]> {
  const metrics: readonly (readonly [string, Metric])[] = Object.entries(METRICS);
  return Object.fromEntries(
    metrics.flatMap(([name, { buckets }]) => (buckets === undefined ? [] : [[name, [...buckets]]])),
  );
}

/** Takes the runtime that `installRuntime` has made. */
export function temporalMeter(): TemporalMeter {
  const meter = Runtime.instance().metricMeter;
  const bounds = new LabelBounds();
  const gauges: (() => void)[] = [];
  const sample = (): void => {
    for (const read of gauges) read();
  };
  const counterOf = (name: MetricName) => meter.createCounter(name, undefined, METRICS[name].help);
  const timer = setInterval(sample, PROCESS_TIMES.sample.ms).unref();
  return {
    open: (name, labels = {}) => counterOf(name).add(0, bounds.within(name, labels)),
    count: (name, labels = {}) => counterOf(name).add(1, bounds.within(name, labels)),
    record: (name, value, labels = {}) =>
      meter
        .createHistogram(name, 'float', undefined, METRICS[name].help)
        .record(value, bounds.within(name, labels)),
    gauge: (name, read) => {
      const gauge = meter.createGauge(name, 'float', undefined, METRICS[name].help);
      const write = ({ labels, value }: MetricSample): void => gauge.set(value, bounds.within(name, labels));
      gauges.push(() => read().forEach(write));
      read().forEach(write);
    },
    stop: () => clearInterval(timer),
  };
}
