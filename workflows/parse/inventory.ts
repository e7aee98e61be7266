// Reads an agent's inventory.
import type { Inventory, InventoryEntry } from '../types/ring.ts';
import { fieldsOf, isHash, isName, isNamespace, isStamp, isUid } from './fields.ts';

/** The most entries of one signal; our agents send a quarter of that. */
const MOST = 2_000;
const LONGEST_PLACE = 63 + 1 + 253;

/**
 * Null if it cannot be read. An unreadable entry is left out: its Capp is looked at as if the site did not
 * have it.
 */
export function readInventory(given: unknown): Inventory | null {
  const fields = fieldsOf(given);
  if (fields === null || !Array.isArray(fields['entries']) || fields['entries'].length > MOST) return null;
  const { after = null, upTo = null } = fields;
  if (!isPlace(after) || !isPlace(upTo)) return null;
  return { entries: fields['entries'].map(entryOf).filter((entry) => entry !== null), after, upTo };
}

function isPlace(given: unknown): given is string | null {
  return given === null || (typeof given === 'string' && given.length <= LONGEST_PLACE);
}

function entryOf(given: unknown): InventoryEntry | null {
  const { namespace, name, uid, stamp, statusHash } = fieldsOf(given) ?? {};
  if (!isNamespace(namespace) || !isName(name) || !isHash(statusHash)) return null;
  // A Capp that the Go operator shipped has no stamp, and is known by its name.
  if (uid === '' && stamp === '') return { namespace, name, uid, stamp, statusHash };
  return isUid(uid) && isStamp(stamp) ? { namespace, name, uid, stamp, statusHash } : null;
}
