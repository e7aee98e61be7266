// A short hash of a value that is only compared, so that state stays small. Not for secrets.

const PRIME = 0x01000193;
/** Looking up a global is slow where workflows run. */
const { imul } = Math;
const OFFSETS = [0x811c9dc5, 0x050c5d1f] as const;

/**
 * Two 32-bit FNV-1a hashes (http://www.isthe.com/chongo/tech/comp/fnv/) of the value's JSON from different
 * offsets, as hex.
 */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value);
  return OFFSETS.map((offset) => fnv(text, offset).toString(16).padStart(8, '0')).join('');
}

function fnv(text: string, offset: number): number {
  let hash = offset;
  for (let index = 0; index < text.length; index += 1) hash = imul(hash ^ text.charCodeAt(index), PRIME);
  return hash >>> 0;
}
