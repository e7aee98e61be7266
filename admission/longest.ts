// How much an object may hold. A schema of the API server bounds bytes, and few lists; whoever reaches the
// webhook has come by no schema at all. Work on an object grows with what it holds, so more than any app has
// is refused before a rule looks at it.
import { isFields } from '../kube/fields.ts';
import { at } from './fields.ts';
import type { Problem } from './rule.ts';
import { hasChanged, type AdmissionRequest } from './request.ts';

/** All lists of a spec together; each variable, port and volume of an app is an entry. */
export const MOST_ENTRIES = 5_000;
/** All fields and keys of a spec together. */
export const MOST_KEYS = 50_000;
/** The labels of an object, and its annotations. */
export const MOST_NOTES = 10_000;
const ALL = 'all of the spec together';
/** What a Bundle carries is bounded in bytes, and its rules read little of it. */
const UNREAD = 'manifests';
const LONGEST_FIELD = 200;

/** The problem with a new object that holds too much; null for one that does not. */
export function tooLong(request: AdmissionRequest): Problem | null {
  return problemWith(newNote(request) ?? longestOf(request));
}

/** The same for one that is being deleted: what held too much before may still lose its finalizers. */
export function grownTooLong(request: AdmissionRequest): Problem | null {
  return problemWith(newNote(request));
}

function problemWith(found: Longest | null): Problem | null {
  if (found === null) return null;
  const { field, many, what, most, all } = found;
  const message = `has ${many} ${what}, and ${all} may have ${most}: write fewer of them`;
  return { field, reason: 'FieldValueInvalid', message, fromCache: false };
}

/** Who had too many may cut them in steps, and edit all else meanwhile. */
function newNote({ object, oldObject }: AdmissionRequest): Longest | null {
  return longestNote(oldObject) === null ? longestNote(object) : null;
}

/** Counted before it is compared: a spec that is long enough to matter is seldom sent. */
function longestOf(request: AdmissionRequest): Longest | null {
  const found = longest(at(request.object, 'spec'));
  return found !== null && hasChanged(request, 'spec') ? found : null;
}

/** What was there and holds too much counts as empty: no rule looks for anything in it. */
export function withoutLong(request: AdmissionRequest): AdmissionRequest {
  const { oldObject } = request;
  if (!isFields(oldObject)) return request;
  const metadata = oldObject['metadata'];
  const isNoted = isFields(metadata) && longestNote(oldObject) !== null;
  const isLong = longest(oldObject['spec']) !== null;
  // Rules look for nothing in a spec that stays as it is.
  const isOther = isLong && hasChanged(request, 'spec');
  if (!isNoted && !isOther) return request;
  const kept = {
    ...oldObject,
    ...(isNoted ? { metadata: { ...metadata, labels: {}, annotations: {} } } : {}),
    ...(isOther ? { spec: {} } : {}),
  };
  return { ...request, oldObject: kept };
}

/** Null if labels and annotations are few enough. */
function longestNote(object: unknown): Longest | null {
  for (const name of ['labels', 'annotations']) {
    const found = at(object, 'metadata', name);
    const many = isFields(found) ? Object.keys(found).length : 0;
    if (many > MOST_NOTES)
      return { field: `metadata.${name}`, many, what: 'fields', most: MOST_NOTES, all: 'they' };
  }
  return null;
}

interface Longest {
  readonly field: string;
  readonly many: number;
  readonly what: 'entries' | 'fields';
  readonly most: number;
  /** What that is the most of. */
  readonly all: string;
}

/** Null if it is short enough; otherwise what has most of it. */
function longest(spec: unknown): Longest | null {
  const left = [{ value: spec, field: 'spec' }];
  const most = { entries: MOST_ENTRIES, fields: MOST_KEYS };
  const sum = { entries: 0, fields: 0 };
  const top = { entries: { field: '', many: 0 }, fields: { field: '', many: 0 } };
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, field } = next;
    if (typeof value !== 'object' || value === null) continue;
    const what = Array.isArray(value) ? 'entries' : 'fields';
    const all = Array.isArray(value) ? value : Object.keys(value);
    sum[what] += all.length;
    if (all.length > top[what].many) top[what] = { field, many: all.length };
    if (sum[what] > most[what]) return { ...top[what], what, most: most[what], all: ALL };
    for (const key of all.keys()) left.push(inside(value, field, Array.isArray(value) ? key : all[key]));
  }
  return null;
}

function inside(value: object, field: string, key: unknown): { value: unknown; field: string } {
  const isIndex = typeof key === 'number';
  const name = isIndex ? `${field}[${key}]` : `${field}.${String(key)}`;
  const found = (value as Record<string | number, unknown>)[key as string];
  // The entries of what is not read count, and nothing in them.
  const isUnread = key === UNREAD && field === 'spec' && Array.isArray(found);
  return {
    value: isUnread ? Array.from({ length: found.length }) : found,
    field: name.slice(0, LONGEST_FIELD),
  };
}
