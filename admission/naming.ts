// Lists of names in messages: short, however many there are.

const SHOWN = 10;

/** "none", "a, b", or ten of them "and 3 more". */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const sorted = names.toSorted();
  const shown = sorted.slice(0, SHOWN).join(', ');
  return sorted.length > SHOWN ? `${shown} and ${sorted.length - SHOWN} more` : shown;
}
