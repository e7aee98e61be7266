// JSON merge patch (RFC 7396), and as much of JSON patch (RFC 6902) as is asked for.
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

export interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** Null if an operation has nothing to work on. */
export function operated(before: Json, operations: readonly Operation[]): Json | null {
  const after = structuredClone(before) as Record<string, unknown>;
  for (const { op, path, value } of operations) {
    const names = path.split('/').slice(1);
    const last = names.pop() ?? '';
    let inner: unknown = after;
    for (const name of names) inner = isRecord(inner) ? inner[name] : undefined;
    if (!isRecord(inner) || (op !== 'add' && inner[last] === undefined)) return null;
    const target = inner as Record<string, unknown>;
    if (op === 'remove') delete target[last];
    else target[last] = value;
  }
  return after;
}
