// JSON merge patch (RFC 7396).
export type Json = Readonly<Record<string, unknown>>;

export function merged(before: Json, patch: Json): Json {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete after[name];
    else if (isRecord(value)) after[name] = merged(isRecord(after[name]) ? after[name] : {}, value);
    else after[name] = value;
  }
  return after;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
