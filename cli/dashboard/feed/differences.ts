// What has changed between two pictures, entry by entry. A picture is entries by their keys.

export type Picture = Readonly<Record<string, unknown>>;

export interface Difference {
  /** Entries that are new or have changed, whole. */
  readonly set: Picture;
  /** Keys of entries that are no longer there. */
  readonly drop: readonly string[];
  /** What the page had before counts for nothing. */
  readonly first: boolean;
}

/** An entry as it was given, and as it is compared. */
interface Shown {
  readonly value: unknown;
  readonly text: string;
}

/** Gives the difference to what it gave before, or null where there is none; the first time all of it. */
export function differ(): (picture: Picture) => Difference | null {
  let shown: Map<string, Shown> | null = null;
  return (picture) => {
    const first = shown === null;
    const before = shown ?? new Map<string, Shown>();
    const now = new Map<string, Shown>();
    const set: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(picture)) {
      const had = before.get(key);
      // Most entries of a large picture are the very ones of the picture before.
      const text = had !== undefined && had.value === value ? had.text : JSON.stringify(value);
      now.set(key, { value, text });
      if (had?.text !== text) set[key] = value;
    }
    const drop = [...before.keys()].filter((key) => !now.has(key));
    shown = now;
    return first || drop.length > 0 || Object.keys(set).length > 0 ? { set, drop, first } : null;
  };
}
