// The known name that somebody probably meant.

const FAR = 4;

/** "Did you mean x?", or all known names when none is similar. */
export function closest(word: string, known: readonly string[]): string {
  const [best] = known
    .map((name) => ({ name, far: distance(word.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far);
  return best !== undefined && best.far < FAR
    ? `Did you mean ${best.name}?`
    : `Known are: ${known.join(', ')}.`;
}

/** How many letters must be inserted, left out or replaced (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
