// The objects of an API server in memory: each write gives a version, is kept in a log, and is told to those
// who watch. An object that is being deleted stays until nobody holds it.
import type { KubeObject } from '../../../../kube/resource.ts';
import { isSame, type Json } from './merge.ts';

export type Stored = KubeObject & { readonly spec?: Json; readonly status?: Json };

/** One write: `null` for what was, or is, not there. `by` is who wrote. */
export interface Write {
  readonly plural: string;
  readonly by: string;
  readonly before: Stored | null;
  readonly after: Stored | null;
  readonly version: string;
}

export type Watcher = (write: Write) => void;

export class Objects {
  readonly #now: () => number;
  readonly #forget: (plural: string, uid: string | undefined) => void;
  readonly #kinds = new Map<string, Map<string, Stored>>();
  /** By kind. */
  readonly #log = new Map<string, Write[]>();
  readonly #watchers = new Set<Watcher>();
  readonly #streams = new Map<string, Set<Watcher>>();
  #version = 1_000;

  /** `forget` hears of an object that is gone, before anybody who watches does. */
  constructor(now: () => number, forget: (plural: string, uid: string | undefined) => void) {
    this.#now = now;
    this.#forget = forget;
  }

  /** Hears of every write, or of those of one kind, when it has been done. Gives the way to hear no more. */
  onWrite(watcher: Watcher, plural: string | null): () => void {
    const watchers = plural === null ? this.#watchers : made(this.#streams, plural, () => new Set<Watcher>());
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }

  /** What was written of a kind after a version. */
  since(plural: string, version: number): Write[] {
    return (this.#log.get(plural) ?? []).filter((write) => Number(write.version) > version);
  }

  version(): string {
    return String(this.#version);
  }

  /** Those of a kind, by `<namespace>/<name>`. */
  of(plural: string): ReadonlyMap<string, Stored> {
    return this.#of(plural);
  }

  whole(): (readonly [what: string, object: Stored])[] {
    return [...this.#kinds].flatMap(([plural, objects]) =>
      [...objects].map(([key, object]) => [`${plural} ${key}`, object] as const),
    );
  }

  /** Gives the object as it is now, or was last. Nothing is written that changes nothing. */
  write(plural: string, key: string, wanted: Stored | null, by: string): Stored {
    const before = this.#of(plural).get(key) ?? null;
    const isGone = wanted === null || isFree(wanted);
    if (before !== null && !isGone && isSame(before, wanted)) return before;
    if (before === null && wanted === null) throw new Error(`There is no ${plural} ${key} to take away`);
    this.#version += 1;
    const version = this.version();
    const after = isGone ? null : this.#versioned(before, wanted, version);
    this.#keep(plural, key, after);
    const write = { plural, by, before, after, version };
    made(this.#log, plural, () => []).push(write);
    for (const watcher of this.#watchers) watcher(write);
    for (const watcher of this.#streams.get(plural) ?? []) watcher(write);
    return after ?? last(before ?? wanted, version);
  }

  #of(plural: string): Map<string, Stored> {
    return made(this.#kinds, plural, () => new Map<string, Stored>());
  }

  #keep(plural: string, key: string, after: Stored | null): void {
    const objects = this.#of(plural);
    if (after !== null) {
      objects.set(key, after);
      return;
    }
    this.#forget(plural, objects.get(key)?.metadata.uid);
    objects.delete(key);
  }

  #versioned(before: Stored | null, wanted: Stored, resourceVersion: string): Stored {
    const born =
      before !== null && before.metadata.uid === (wanted.metadata.uid ?? before.metadata.uid) ? before : null;
    const {
      uid = wanted.metadata.uid ?? `uid-${resourceVersion}`,
      creationTimestamp,
      generation = 0,
    } = born?.metadata ?? {};
    const isOther = born === null || !isSame(born.spec, wanted.spec);
    const begins = born?.metadata.deletionTimestamp !== wanted.metadata.deletionTimestamp;
    const createdAt = creationTimestamp ?? new Date(this.#now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const grown = generation + (isOther || (begins && born !== null) ? 1 : 0);
    return {
      ...wanted,
      metadata: { ...wanted.metadata, uid, creationTimestamp: createdAt, generation: grown, resourceVersion },
    };
  }
}

function made<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const one = make();
  map.set(key, one);
  return one;
}

/** It is being deleted, and nobody holds it. */
function isFree({ metadata: { deletionTimestamp, finalizers = [] } }: Stored): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0;
}

function last(object: Stored | null, resourceVersion: string): Stored {
  if (object === null) throw new Error('nothing was there');
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}
