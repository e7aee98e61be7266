// How deep JSON is, and JSON without what lies deeper than anything of Kubernetes: a site may write such a
// work, and whoever walks through it would run out of stack, each time that it is listed.

/** Deeper than what the webhook takes, in a list, and less than a stack bears. */
export const DEEPEST = 600;

const [QUOTE, BACKSLASH, OPEN, CLOSE, LIST, END] = Array.from('"\\{}[]', (one) => one.charCodeAt(0));

/** The same text, with null in place of objects and lists that lie deeper than `DEEPEST`. */
export function shallow(text: string): string {
  return isDeeper(text, DEEPEST) ? cut(text) : text;
}

/** Whether objects or lists of JSON lie in more than so many others. */
export function isDeeper(text: string, most: number): boolean {
  if (!mayBeDeeper(text, most)) return false;
  let depth = 0;
  for (let at = 0; at < text.length && depth <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN || code === LIST) depth += 1;
    else if (code === CLOSE || code === END) depth -= 1;
  }
  return depth > most;
}

/**
 * What is deep has as many ends. Nearly no object has so many, and these are found without a look at each
 * character.
 */
function mayBeDeeper(text: string, most: number): boolean {
  let found = 0;
  for (const end of [']', '}']) {
    for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, at + 1)) {
      found += 1;
      if (found > most) return true;
    }
  }
  return false;
}

function cut(text: string): string {
  const kept: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN || code === LIST) {
      depth += 1;
      if (depth === DEEPEST + 1) kept.push(text.slice(from, at), 'null');
    } else if (code === CLOSE || code === END) {
      if (depth === DEEPEST + 1) from = at + 1;
      depth -= 1;
    }
  }
  // It is no JSON, and whoever reads it says so.
  if (depth !== 0) return text;
  return [...kept, text.slice(from)].join('');
}

/** Where the string ends that begins there: at its quote, or with the text. */
export function endOfString(text: string, begin: number): number {
  let at = begin;
  do at = text.indexOf('"', at + 1);
  while (at !== -1 && isEscaped(text, at));
  return at === -1 ? text.length : at;
}

/** By an odd number of backslashes before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
