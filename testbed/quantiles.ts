// Nearest-rank quantiles, rounded to a tenth.

export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Throws when there are no samples. */
export function quantiles(samples: readonly number[]): Quantiles {
  if (samples.length === 0) throw new Error('There are no samples.');
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): number => tenth(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN);
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) };
}

export function median(samples: readonly number[]): number {
  return quantiles(samples).p50;
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
