// Server-side apply makes null of an object or a list whose last part the applier takes out, and not the
// empty one that was applied (kubernetes-sigs/structured-merge-diff, issue 305; seen with Kubernetes 1.32).
// Where the schema takes null, the same apply makes it empty the second time. Where it does not, the apply is
// refused each time, until the field has been away for once. Pure.
import { isInvalid } from '../failure.ts';
import { isFields, type Fields } from '../fields.ts';
type Place = readonly string[];

/** What may never be away says outright what it is by default: a Pod's volume is of one kind. */
const OUTRIGHT: ReadonlyMap<string, object> = new Map([['emptyDir', { medium: '' }]]);

const MISTYPED = ': FieldValueTypeInvalid';

/** Whether something that was applied without any value in it is not there in what the server answered. */
export function isEmptied(live: unknown, applied: unknown): boolean {
  if (live === null || live === undefined) return isBare(applied);
  if (Array.isArray(applied))
    return Array.isArray(live) && applied.some((one, index) => isEmptied(live[index], one));
  if (!isFields(applied) || !isFields(live)) return false;
  return Object.entries(applied).some(([name, value]) => isEmptied(live[name], value));
}

export interface Retry {
  /** To be applied first, without what is refused as null; absent if nothing has to be away. */
  readonly first?: Fields;
  readonly last: Fields;
}

/**
 * How to apply an object that the server has refused because of nulls that it made itself; null if it has
 * not.
 */
export function unrefused(object: object, error: unknown): Retry | null {
  if (!isInvalid(error)) return null;
  const named = error.fields.filter((field) => field.endsWith(MISTYPED));
  const refused = new Set(named.map((field) => placeOf(field.slice(0, -MISTYPED.length))));
  const last = outright(object, refused, []) as Fields;
  const first = (away(last, refused, []) ?? {}) as Fields;
  const [given, second, without] = [object, last, first].map((one) => JSON.stringify(one));
  if (given === without) return null;
  return second === without ? { last } : { first, last };
}

/** The same for each item of a list: its index may be another one in what was applied. */
function placeOf(field: string): string {
  return field.replaceAll(/\[\d+\]/g, '');
}

function outright(value: unknown, refused: ReadonlySet<string>, place: Place): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => outright(one, refused, place));
  if (!isFields(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => {
    const at = [...place, name];
    const instead = isBare(part) && refused.has(at.join('.')) ? OUTRIGHT.get(name) : undefined;
    return [name, instead ?? outright(part, refused, at)];
  });
  return Object.fromEntries(parts) as Fields;
}

/**
 * Without the refused parts that are bare, and without what would be bare for that; undefined if nothing is
 * left.
 */
function away(value: unknown, refused: ReadonlySet<string>, place: Place): unknown {
  if (isBare(value) && refused.has(place.join('.'))) return undefined;
  if (Array.isArray(value)) return value.map((one: unknown) => away(one, refused, place) ?? {});
  if (!isFields(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, away(part, refused, [...place, name])]);
  const left = parts.filter(([, part]) => part !== undefined);
  return left.length === 0 && parts.length > 0 ? undefined : (Object.fromEntries(left) as Fields);
}

/** An object or a list that holds nothing but such. */
function isBare(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBare);
  return isFields(value) && Object.values(value).every(isBare);
}
