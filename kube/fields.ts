// Objects whose fields nobody has checked.

export type Fields = Readonly<Record<string, unknown>>;

/** An object with fields: neither a list nor null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
