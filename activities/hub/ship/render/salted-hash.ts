// The hash in a stamp, which tells whether the content of what was shipped has changed.
import { createHmac } from 'node:crypto';

/**
 * Twenty hex digits over a value's JSON with sorted keys. The salt is only on the work, whose content can be
 * read anyway, so the hash reveals nothing about a Secret in it.
 */
export function saltedHash(value: unknown, salt: string): string {
  return createHmac('sha256', salt).update(canonical(value)).digest('hex').slice(0, 20);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byKey)) : inner,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
