// Counters that servers publish, as Prometheus writes them.

export type Counters = ReadonlyMap<string, number>;

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/gm;

/** The sums of those metrics by the text that `keyOf` makes of name and labels; null leaves one out. */
export function countersIn(
  text: string,
  keyOf: (name: string, labels: ReadonlyMap<string, string>) => string | null,
): Counters {
  const sums = new Map<string, number>();
  for (const { groups } of text.matchAll(LINE)) {
    const key = keyOf(groups?.['name'] ?? '', labelsOf(groups?.['labels'] ?? ''));
    if (key !== null) sums.set(key, (sums.get(key) ?? 0) + Number(groups?.['value']));
  }
  return sums;
}

/** What has grown between two looks, by key. */
export function grown(before: Counters, after: Counters): ReadonlyMap<string, number> {
  return new Map(
    [...after]
      .map(([key, now]) => [key, now - (before.get(key) ?? 0)] as const)
      .filter(([, more]) => more > 0),
  );
}

function labelsOf(text: string): Map<string, string> {
  return new Map([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
}
