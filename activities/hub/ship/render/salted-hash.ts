// The hash in a stamp, which tells whether the content of what was shipped has changed.
import { createHmac } from 'node:crypto';
import { canonical } from '../../../../crds/digest.ts';

/**
 * Twenty hex digits over a value's JSON with sorted keys. The salt is only on the work, whose content can be
 * read anyway, so the hash reveals nothing about a Secret in it. One that is sealed counts as it is sealed.
 */
export function saltedHash(value: unknown, salt: string): string {
  return createHmac('sha256', salt).update(canonical(value)).digest('hex').slice(0, 20);
}
