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

/** Gives the difference to what it gave before, or null where there is none; the first time all of it. */
export function differ(): (picture: Picture) => Difference | null {
  let shown: Map<string, string> | null = null;
  return (picture) => {
    const first = shown === null;
    const before = shown ?? new Map<string, string>();
    const now = new Map<string, string>();
    const set: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(picture)) {
      const text = JSON.stringify(value);
      now.set(key, text);
      if (before.get(key) !== text) set[key] = value;
    }
    const drop = [...before.keys()].filter((key) => !now.has(key));
    shown = now;
    return first || drop.length > 0 || Object.keys(set).length > 0 ? { set, drop, first } : null;
  };
}
