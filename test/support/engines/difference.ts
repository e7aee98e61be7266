// Where two engines first differ.

export interface Difference {
  readonly run: string;
  readonly simulator: string;
  readonly temporal: string;
}

/** The first activation whose commands differ; null if there is none. */
export function difference(
  run: string,
  simulator: readonly string[],
  temporal: readonly string[],
): Difference | null {
  const first = Array.from({ length: Math.max(simulator.length, temporal.length) }).findIndex(
    (_, index) => simulator[index] !== temporal[index],
  );
  return first < 0
    ? null
    : { run, simulator: simulator[first] ?? 'nothing', temporal: temporal[first] ?? 'nothing' };
}
