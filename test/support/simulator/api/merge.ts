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

/** Null if an operation has nothing to work on. Shares with the object before what it leaves alone. */
export function operated(before: Json, operations: readonly Operation[]): Json | null {
  let after: Json | null = before;
  for (const { op, path, value } of operations)
    after = after === null ? null : changedAt(after, path.split('/').slice(1), op, value);
  return after;
}

function changedAt(
  object: Json,
  [name = '', ...rest]: readonly string[],
  op: string,
  value: unknown,
): Json | null {
  const inner = object[name];
  if (rest.length > 0) {
    const after = isRecord(inner) ? changedAt(inner, rest, op, value) : null;
    return after === null ? null : { ...object, [name]: after };
  }
  if (op !== 'add' && inner === undefined) return null;
  if (op !== 'remove') return { ...object, [name]: value };
  const { [name]: _gone, ...others } = object;
  return others;
}

/** Whether two values have the same JSON, whatever the order of their keys. Quick where they share parts. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, index) => isSame(one, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  for (const name in a) if (!isSame(a[name], b[name])) return false;
  for (const name in b) if (b[name] !== undefined && a[name] === undefined) return false;
  return true;
}
