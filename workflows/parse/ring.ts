// Reads a ring. Fields that cannot be answered are dropped.
import { CAUSES, MARKED_KINDS, type Cause, type Ring } from '../types/ring.ts';
import { fieldsOf, isName, isTime } from './fields.ts';

/** A resourceVersion is a decimal number, and etcd's has 64 bits. */
const VERSION = /^(0|[1-9]\d{0,19})$/;
/** The most clusters for which a ring may say when they were seen: a Capp has a copy on two at most. */
const MOST_SEEN = 16;

/**
 * Null if it cannot be read. A cause that this version does not know asks to look at everything: a newer
 * bridge may send it.
 */
export function readRing(given: unknown): Ring | null {
  const fields = fieldsOf(given);
  if (fields === null || !Array.isArray(fields['causes'])) return null;
  const causes = causesOf(fields['causes']);
  if (causes.length === 0) return null;
  const seen = seenOf(fields['seen']);
  const said = {
    ...(Object.keys(seen).length === 0 ? {} : { seen }),
    ...(fields['tellAgain'] === true ? { tellAgain: true as const } : {}),
  };
  return { causes, minimumVersions: versionsOf(fields['minimumVersions']), ...said };
}

function causesOf(given: readonly unknown[]): Cause[] {
  const known = CAUSES.filter((cause) => given.includes(cause));
  const isNewer = given.some((cause) => typeof cause === 'string' && !CAUSES.some((one) => one === cause));
  return isNewer && !known.includes('resync') ? [...known, 'resync'] : known;
}

function versionsOf(given: unknown): Ring['minimumVersions'] {
  const fields = fieldsOf(given) ?? {};
  const known = MARKED_KINDS.flatMap((kind) => {
    const version = Object.hasOwn(fields, kind) ? fields[kind] : undefined;
    return typeof version === 'string' && VERSION.test(version) ? [[kind, version] as const] : [];
  });
  return Object.fromEntries(known);
}

function seenOf(given: unknown): NonNullable<Ring['seen']> {
  const entries = Object.entries(fieldsOf(given) ?? {}).filter(
    (entry): entry is [string, number] => isName(entry[0]) && isTime(entry[1]),
  );
  return Object.fromEntries(entries.slice(0, MOST_SEEN));
}
