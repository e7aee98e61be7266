// Says of each thing once in a while whether it should be told, however often it happens.

const MOST_KEPT = 1_000;

/** True the first time in `ms` milliseconds for each text; while there are too many texts, false. */
export function seldom(ms: number, now: () => number = Date.now): (text: string) => boolean {
  const told = new Map<string, number>();
  return (text) => {
    const at = now();
    const last = told.get(text);
    if (last !== undefined && at - last < ms) return false;
    if (told.size >= MOST_KEPT) for (const [one, since] of told) if (at - since >= ms) told.delete(one);
    if (told.size >= MOST_KEPT && last === undefined) return false;
    told.set(text, at);
    return true;
  };
}
