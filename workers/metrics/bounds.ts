// Bounds how many values a label of a metric may have, so that no metric grows with what people create.
import { METRICS, type MetricName } from './catalogue.ts';

export type Labels = Readonly<Record<string, string>>;

/**
 * Labels that Temporal's SDK puts on what workflows count: one namespace, one queue, and the workflow's type.
 */
const OF_TEMPORAL: Readonly<Record<string, number>> = { namespace: 1, taskQueue: 1, workflowType: 10 };

/** By metric, the labels that may have further values: a map of the values that were seen. */
export class LabelBounds {
  readonly #seen = new Map<string, Set<string>>();

  /** The labels with each value beyond its label's bound replaced by `other`. */
  within(name: MetricName, labels: Labels): Labels {
    const most: Readonly<Record<string, number>> = { ...OF_TEMPORAL, ...METRICS[name].labels };
    return Object.fromEntries(
      Object.entries(labels).map(([label, value]) => [
        label,
        this.#isWithin(`${name} ${label}`, value, most[label] ?? 0) ? value : 'other',
      ]),
    );
  }

  #isWithin(key: string, value: string, most: number): boolean {
    const seen = this.#seen.get(key) ?? new Set();
    this.#seen.set(key, seen);
    if (seen.has(value)) return true;
    if (seen.size >= most) return false;
    seen.add(value);
    return true;
  }
}
