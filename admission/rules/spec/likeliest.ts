// Which name somebody may have meant. Pure.

const LONGEST = 64;
/** Letters that are wrong, missing or too many. */
const MOST = 2;

/** The name that differs least, or null if none is near. */
export function likeliest(given: string, names: readonly string[]): string | null {
  if (given.length > LONGEST) return null;
  const near = names
    .map((name) => ({ name, apart: distance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, apart }) => apart <= MOST && apart < name.length / 2)
    .toSorted((a, b) => a.apart - b.apart);
  return near[0]?.name ?? null;
}

/** Levenshtein's. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split('').entries()) {
      const [left = 0, above = 0, corner = 0] = [next[j], row[j + 1], row[j]];
      next.push(Math.min(left + 1, above + 1, corner + Number(letter !== other)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
