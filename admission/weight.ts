// How many fields a text of JSON has, and how deep they lie, before it is read: what reading costs grows with
// that, and whoever reaches the webhook has come by no schema.
import { endOfString } from '../kube/depth.ts';

/** All fields of a question together: two objects as large as an API server stores have fewer. */
export const MOST_FIELDS = 150_000;
/** Deeper than any object, and less than a stack bears. */
export const DEEPEST = 500;

const [QUOTE, COLON, OPEN, CLOSE, LIST, END] = Array.from('":{}[]', (one) => one.charCodeAt(0));

/** Whether the text has more fields, or deeper ones, than anything that an API server asks about. */
export function isTooHeavy(text: string): boolean {
  let [fields, depth] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) fields += 1;
    else if (code === OPEN || code === LIST) depth += 1;
    else if (code === CLOSE || code === END) depth -= 1;
    if (fields > MOST_FIELDS || depth > DEEPEST) return true;
  }
  return false;
}
