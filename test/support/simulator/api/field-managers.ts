// Server-side apply, as far as a status needs it: each manager sends its whole set, and what nobody sends any
// more goes.
import { isSame } from './merge.ts';

type Value = Readonly<Record<string, unknown>>;

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly managers: ReadonlySet<string>;
}

/** Which manager owns which fields of one object. */
export class Fields {
  #leaves: ReadonlyMap<string, Leaf>;

  constructor(leaves: ReadonlyMap<string, Leaf> = new Map()) {
    this.#leaves = leaves;
  }

  /** The fields after `manager` has applied `wanted`, taking by force what it names. */
  applied(manager: string, wanted: Value): Fields {
    const sent = new Map(
      leavesOf(wanted, []).map(({ path, value }) => [JSON.stringify(path), { path, value }] as const),
    );
    const after = new Map<string, Leaf>();
    for (const [key, leaf] of this.#leaves) {
      if (sent.has(key)) continue;
      const managers = new Set([...leaf.managers].filter((one) => one !== manager));
      if (managers.size > 0) after.set(key, { ...leaf, managers });
    }
    for (const [key, { path, value }] of sent) {
      const before = this.#leaves.get(key);
      const isOld = before !== undefined && isSame(before.value, value);
      after.set(key, {
        path,
        value,
        managers: isOld ? new Set([...before.managers, manager]) : new Set([manager]),
      });
    }
    return new Fields(after);
  }

  /** The fields after `manager` has written the whole: it owns what it changed. */
  updated(manager: string, whole: Value): Fields {
    const sent = leavesOf(whole, []).map(({ path, value }): readonly [string, Leaf] => {
      const key = JSON.stringify(path);
      const before = this.#leaves.get(key);
      const isOld = before !== undefined && isSame(before.value, value);
      return [key, isOld ? before : { path, value, managers: new Set([`${manager} by update`]) }];
    });
    return new Fields(new Map(sent));
  }

  /** What stands there. */
  value(): Value {
    const root: Record<string, unknown> = {};
    const lists = new Map<string, unknown[]>();
    for (const { path, value } of this.#leaves.values()) {
      if (path[0] === 'conditions') lists.set('conditions', [...(lists.get('conditions') ?? []), value]);
      else put(root, path, value);
    }
    return lists.size === 0 ? root : { ...root, ...Object.fromEntries(lists) };
  }
}

/** Conditions are told apart by their type; other lists are one value. */
function leavesOf(value: unknown, path: readonly string[]): { path: readonly string[]; value: unknown }[] {
  if (path.length === 1 && path[0] === 'conditions' && Array.isArray(value))
    return value.map((condition: { type: string }) => ({
      path: ['conditions', condition.type],
      value: condition,
    }));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }];
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  if (entries.length === 0 && path.length > 0) return [{ path, value: {} }];
  return entries.flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function put(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    root[first] = value;
    return;
  }
  const inner = (root[first] ?? {}) as Record<string, unknown>;
  root[first] = inner;
  put(inner, rest, value);
}
