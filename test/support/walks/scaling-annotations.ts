// Random annotations by which Knative scales, each in one of the spellings that it reads.
import { spellingsOf } from '../../../crds/knative/autoscaling.ts';
import type { Random } from '../builders/random.ts';

const VALUES: Readonly<Record<string, readonly string[]>> = {
  'min-scale': ['0', '1', '4', '30'],
  'max-scale': ['0', '1', '3', '50'],
  // 0 is for each site to allow, in its config-autoscaler.
  'initial-scale': ['1', '3', '40'],
  'activation-scale': ['2', '3', '7', '50'],
  'scale-down-delay': ['0s', '30s', '59m', '1h', '+59m', '.9h'],
  window: ['6s', '60s', '1h'],
  target: ['0.01', '1', '100'],
  'target-utilization-percentage': ['1', '70', '100'],
  'target-burst-capacity': ['-1', '0', '200'],
  'panic-window-percentage': ['1', '10', '100'],
  'panic-threshold-percentage': ['110', '200', '1000'],
  'scale-to-zero-pod-retention-period': ['0s', '1m30s'],
  'metric-aggregation-algorithm': ['linear', 'weighted-exponential'],
  class: ['kpa.autoscaling.knative.dev', 'hpa.autoscaling.knative.dev', 'keda.example.com'],
  metric: ['concurrency', 'rps', 'cpu', 'memory', 'queue'],
};

/** Each of them with this probability. */
export function scalingAnnotations(dice: Random, probability: number): Record<string, string> {
  const chosen = Object.entries(VALUES).filter(() => dice.chance(probability));
  return Object.fromEntries(
    chosen.map(([name, values]) => [dice.pick(spellingsOf(name)), dice.pick(values)]),
  );
}
