// The objects of a kind by key. Every event and every list yields only what really changed.
import { keyTextOf, type KubeObject } from '../resource.ts';

/**
 * One thing that happened to one object. A namesake with another uid is a Deleted and an Added. `object` of a
 * Deleted is the last that is known, with a resourceVersion at which it was gone: who has seen that version
 * of its kind knows it no more.
 */
export type Change<T extends KubeObject> = {
  readonly object: T;
  /** It was in the first list, so it may not be new. */
  readonly initial: boolean;
} & (
  | { readonly type: 'Added'; readonly previous: null }
  | { readonly type: 'Modified' | 'Deleted'; readonly previous: T }
);

type Index<T> = (object: T) => readonly string[];

export interface StoreOptions<T extends KubeObject> {
  readonly transform?: ((object: T) => T) | undefined;
  readonly indexes?: Readonly<Record<string, Index<T>>> | undefined;
}

interface Identity {
  readonly key: string;
  readonly uid: string | undefined;
  readonly version: string | undefined;
}

interface Entry<T> extends Omit<Identity, 'key'> {
  readonly object: T;
  /** Index name → the values that the object is filed under. */
  readonly filed: Readonly<Record<string, readonly string[]>>;
}

const NONE: ReadonlySet<string> = new Set();

export class Store<T extends KubeObject> {
  readonly #transform: (object: T) => T;
  readonly #indexes: ReadonlyMap<string, { readonly of: Index<T>; readonly keys: Map<string, Set<string>> }>;
  readonly #entries = new Map<string, Entry<T>>();
  /** What `prepared` has given, and which objects they were. */
  readonly #prepared = new WeakMap<T, Identity>();

  constructor({ transform = (object) => object, indexes = {} }: StoreOptions<T> = {}) {
    this.#transform = transform;
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, of]) => [name, { of, keys: new Map<string, Set<string>>() }]),
    );
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.object;
  }

  all(): T[] {
    return Array.from(this.#entries.values(), ({ object }) => object);
  }

  /** Throws on an index that was not declared. */
  by(index: string, value: string): T[] {
    return Array.from(this.#keysOf(index, value), (key) => this.get(key)).filter(
      (object) => object !== undefined,
    );
  }

  /** How many objects `by` would give. Looks at none of them. */
  count(index: string, value: string): number {
    return this.#keysOf(index, value).size;
  }

  #keysOf(index: string, value: string): ReadonlySet<string> {
    const known = this.#indexes.get(index);
    if (known === undefined) throw new Error(`No index ${index} was declared`);
    return known.keys.get(value) ?? NONE;
  }

  /**
   * What is kept of an object that will be stored: the rest of it may be forgotten until then. Of a known
   * version it is what is stored.
   */
  prepared(object: T): T {
    const identity = identityOf(object);
    const old = this.#entries.get(identity.key);
    const kept = old !== undefined && isSame(old, identity) ? old.object : this.#transform(object);
    this.#prepared.set(kept, identity);
    return kept;
  }

  #identityOf(object: T): Identity {
    return this.#prepared.get(object) ?? identityOf(object);
  }

  /** Stores the object, or what was prepared of it. A known version yields nothing. */
  put(object: T, initial = false): Change<T>[] {
    const identity = this.#identityOf(object);
    const { key, uid, version } = identity;
    const old = this.#entries.get(key);
    if (old !== undefined && isSame(old, identity)) return [];
    const kept = this.#prepared.has(object) ? object : this.#transform(object);
    this.#file(key, { uid, version, object: kept, filed: this.#places(kept) });
    if (old === undefined) return [{ type: 'Added', object: kept, previous: null, initial }];
    if (old.uid === uid) return [{ type: 'Modified', object: kept, previous: old.object, initial }];
    return [gone(old.object, version), { type: 'Added', object: kept, previous: null, initial }];
  }

  /** Removes the object; this was its last state. An unknown uid yields nothing. */
  drop(object: T): Change<T>[] {
    const key = keyTextOf(object);
    const old = this.#entries.get(key);
    if (old === undefined || old.uid !== object.metadata.uid) return [];
    this.#unfile(key);
    return [{ type: 'Deleted', object: this.#transform(object), previous: old.object, initial: false }];
  }

  /** Replaces everything by these objects, as of that resourceVersion. */
  replace(objects: readonly T[], asOf: string, initial = false): Change<T>[] {
    const present = new Set(objects.map((object) => this.#identityOf(object).key));
    const lost = [...this.#entries].filter(([key]) => !present.has(key));
    for (const [key] of lost) this.#unfile(key);
    return [
      ...lost.map(([, { object }]) => gone(object, asOf)),
      ...objects.flatMap((object) => this.put(object, initial)),
    ];
  }

  #places(object: T): Record<string, readonly string[]> {
    return Object.fromEntries(Array.from(this.#indexes, ([name, { of }]) => [name, of(object)]));
  }

  #file(key: string, entry: Entry<T>): void {
    this.#unfile(key);
    this.#entries.set(key, entry);
    for (const [name, { keys }] of this.#indexes) {
      for (const value of entry.filed[name] ?? []) {
        const filed = keys.get(value);
        if (filed === undefined) keys.set(value, new Set([key]));
        else filed.add(key);
      }
    }
  }

  #unfile(key: string): void {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    for (const [name, { keys }] of this.#indexes) {
      for (const value of entry?.filed[name] ?? []) {
        const filed = keys.get(value);
        filed?.delete(key);
        if (filed?.size === 0) keys.delete(value);
      }
    }
  }
}

function identityOf(object: KubeObject): Identity {
  const { uid, resourceVersion: version } = object.metadata;
  return { key: keyTextOf(object), uid, version };
}

function isSame(one: Omit<Identity, 'key'>, { uid, version }: Omit<Identity, 'key'>): boolean {
  return one.uid === uid && one.version === version;
}

/** The deletion was missed, so its last known state has to do, and the version by which it was gone. */
function gone<T extends KubeObject>(last: T, by: string | undefined): Change<T> {
  const object = by === undefined ? last : { ...last, metadata: { ...last.metadata, resourceVersion: by } };
  return { type: 'Deleted', object, previous: last, initial: false };
}
