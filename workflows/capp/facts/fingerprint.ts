// A short hash of a value that is only compared, so that state stays small. Not for secrets.
import { fnv } from '../../types/fnv.ts';

const OFFSETS = [0x811c9dc5, 0x050c5d1f] as const;

/** Two 32-bit FNV-1a hashes of the value's JSON from different offsets, as hex. */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value);
  return OFFSETS.map((offset) => fnv(text, offset).toString(16).padStart(8, '0')).join('');
}
