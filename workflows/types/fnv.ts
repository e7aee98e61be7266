// 32-bit FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), for what is compared or put in an order. Not
// for secrets. Pure.

/** Looking up a global is slow where workflows run. */
const { imul } = Math;

/** Of the UTF-16 units of `text`, as an unsigned number. */
export function fnv(text: string, offset = 0x811c9dc5): number {
  let hash = offset;
  for (let index = 0; index < text.length; index += 1) hash = imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
