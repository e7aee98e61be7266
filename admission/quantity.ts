// How much a Kubernetes quantity is, to tell which of two is more.

const SUFFIXES: Readonly<Record<string, number>> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** NaN for what is no quantity, which is neither more nor less than anything. */
export function amount(quantity: unknown): number {
  if (typeof quantity === 'number') return quantity;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([numkMGTPE]?|[KMGTPE]i)$/.exec(typeof quantity === 'string' ? quantity : '');
  return match === null ? Number.NaN : Number(match[1]) * (SUFFIXES[match[2] ?? ''] ?? Number.NaN);
}
