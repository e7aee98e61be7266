// Which fields differ between what is on a site and what would be, a line for each. Pure.
import type { Fields } from '../../kube/fields.ts';

const LONGEST_VALUE = 120;

/** Sorted by path, as `path: before → after`. A list counts as one field if its length differs. */
export function differences(before: unknown, after: unknown, path = ''): string[] {
  if (before === after) return [];
  if (isPlain(before) && isPlain(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
    return names.flatMap((name) =>
      differences(before[name], after[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((one: unknown, index) => differences(one, after[index], `${path}[${index}]`));
  const [was, is] = [textOf(before), textOf(after)];
  return was === is ? [] : [`${path}: ${cut(was)} → ${cut(is)}`];
}

function textOf(value: unknown): string {
  if (value === undefined) return '(none)';
  if (typeof value !== 'object') return JSON.stringify(value);
  return JSON.stringify(value, (_key, item: unknown) =>
    isPlain(item) ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

function cut(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`;
}

/** A long number is raw JSON, which has no prototype. */
function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.getPrototypeOf(value) !== null;
}
