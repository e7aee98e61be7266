// What a process counts and measures, whoever serves it: ourselves, or Temporal's SDK where a worker runs.
import { LabelBounds, type Labels } from './bounds.ts';
import { METRICS, type Metric, type MetricName } from './catalogue.ts';

export interface MetricSample {
  readonly labels: Labels;
  readonly value: number;
}

export interface Meter {
  /** Shows a counter from 0 on: Prometheus sees no rise in a counter that begins with 1. */
  open(name: MetricName, labels?: Labels): void;
  /** Counts one. */
  count(name: MetricName, labels?: Labels): void;
  /** Records a value in a histogram. */
  record(name: MetricName, value: number, labels?: Labels): void;
  /** Has a gauge read whenever metrics are. `read` must be quick, and must not throw. */
  gauge(name: MetricName, read: () => readonly MetricSample[]): void;
}

export interface Registry extends Meter {
  /** All metrics in Prometheus' text format (version 0.0.4). */
  text(): string;
}

interface Series {
  readonly labels: Labels;
  value: number;
  /** Of a histogram: how many values each bucket has, without those of smaller ones. */
  readonly buckets: number[];
  count: number;
}

export function registry(): Registry {
  const bounds = new LabelBounds();
  const held = new Map<MetricName, Map<string, Series>>();
  const gauges: { readonly name: MetricName; readonly read: () => readonly MetricSample[] }[] = [];
  const seriesOf = (name: MetricName, given: Labels): Series => {
    const labels = bounds.within(name, given);
    const all = held.get(name) ?? new Map<string, Series>();
    held.set(name, all);
    const key = JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const known = all.get(key) ?? { labels, value: 0, buckets: [], count: 0 };
    all.set(key, known);
    return known;
  };
  return {
    open: (name, labels = {}) => void seriesOf(name, labels),
    count: (name, labels = {}) => void (seriesOf(name, labels).value += 1),
    record: (name, value, labels = {}) => {
      const series = seriesOf(name, labels);
      const { buckets = [] }: Metric = METRICS[name];
      const index = buckets.findIndex((bound) => value <= bound);
      if (index !== -1) series.buckets[index] = (series.buckets[index] ?? 0) + 1;
      series.value += value;
      series.count += 1;
    },
    gauge: (name, read) => void gauges.push({ name, read }),
    text: () => {
      for (const { name } of gauges) held.delete(name);
      for (const { name, read } of gauges)
        for (const { labels, value } of read()) seriesOf(name, labels).value = value;
      return [...held].map(([name, series]) => textOf(name, [...series.values()])).join('');
    },
  };
}

function textOf(name: MetricName, all: readonly Series[]): string {
  const { help, type, buckets = [] }: Metric = METRICS[name];
  const lines = all.flatMap((series) =>
    type === 'histogram'
      ? histogramOf(name, buckets, series)
      : [`${name}${labelsText(series.labels)} ${series.value}`],
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function histogramOf(name: string, bounds: readonly number[], series: Series): string[] {
  let below = 0;
  const lines = bounds.map((bound, index) => {
    below += series.buckets[index] ?? 0;
    return `${name}_bucket${labelsText({ ...series.labels, le: String(bound) })} ${below}`;
  });
  return [
    ...lines,
    `${name}_bucket${labelsText({ ...series.labels, le: '+Inf' })} ${series.count}`,
    `${name}_sum${labelsText(series.labels)} ${series.value}`,
    `${name}_count${labelsText(series.labels)} ${series.count}`,
  ];
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('"', String.raw`\"`);
}
