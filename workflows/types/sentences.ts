// Sentences that are put together from parts. Pure.

/** Without its last full stop. */
export function withoutStop(says: string): string {
  return says.replace(/\.$/, '');
}
