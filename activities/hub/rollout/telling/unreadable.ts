// Why an object that its CRD has let through cannot be read, such as one that was written under the CRD of
// another version. Pure.
import type { RolloutRefusal } from '../kind.ts';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** `what` names the object to people; `field` is where its reader began. */
export function unreadable(
  what: string,
  field: string,
  issue: Issue | undefined,
): RolloutRefusal & { readonly reason: 'Invalid' } {
  const at = [field, ...(issue?.path ?? []).map(String)].join('.');
  const message = `The ${what} cannot be read: ${at} ${issue?.message ?? 'is wrong'}. Correct it, or apply the CRD of this version.`;
  return { reason: 'Invalid', message };
}
