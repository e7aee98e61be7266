// Which fields differ between two specs, as a person would write their paths. Pure.
import { isFields } from '../../kube/fields.ts';

/** Sorted by path. A list counts as one field if its length differs. */
export function changesBetween(before: unknown, after: unknown, path = 'spec'): string[] {
  if (isFields(before) && isFields(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
    return names.flatMap((name) => changesBetween(before[name], after[name], `${path}.${name}`));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((one, index) => changesBetween(one, after[index], `${path}[${index}]`));
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
}

const NAMED = 3;

/** Empty for none; the long way to the Pod is left out. */
export function inWords(changes: readonly string[]): string {
  const short = changes.map((path) =>
    path.replace(/^(spec\.template\.)?spec\.configurationSpec\.template\.spec\./, ''),
  );
  const more = short.length - NAMED;
  return `${short.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
