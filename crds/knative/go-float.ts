// Numbers as Knative's annotations have them.

const FLOAT = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;

/**
 * As Go's strconv.ParseFloat reads it, without what nobody writes: infinity and hexadecimal fractions. NaN
 * for all else, such as `0x10`, which JavaScript would read.
 */
export function floatOf(text: string): number {
  const value = FLOAT.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
