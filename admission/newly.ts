// Problems that an edit brings: what was so before stays as it is, and does not stand in the way of another
// edit.
import type { Problem } from './rule.ts';
import type { AdmissionRequest } from './request.ts';

/** `find` is asked about the object as it is to be, and as it was. */
export function newly<P extends Problem>(
  { object, oldObject }: AdmissionRequest,
  find: (object: unknown) => readonly P[],
): readonly P[] {
  const problems = find(object);
  if (problems.length === 0) return [];
  const before = new Set(find(oldObject).map(unnumbered));
  return problems.filter((problem) => !before.has(unnumbered(problem)));
}

/** An entry of a list that was moved is the same. */
function unnumbered({ field, message }: Problem): string {
  return `${field.replaceAll(/\[\d+\]/g, '[]')}: ${message}`;
}
