// In brackets and quotes go-yaml lets lines begin anywhere, also left of the key; the package that parses
// wants them further right. This finds such lines and indents them, which changes no value. Pure, and linear
// in the size of the text.

/** A document whose lines inside brackets and quotes are indented. */
export function indented(text: string): string {
  const pads = padsOf(text);
  if (pads.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { at, columns } of pads) {
    parts.push(text.slice(from, at), ' '.repeat(columns));
    from = at;
  }
  return parts.join('') + text.slice(from);
}

interface Pad {
  /** The first place of a line. */
  readonly at: number;
  readonly columns: number;
}

/** Deeper than this nobody writes, and a text would grow by much. */
const WIDEST = 200;

function padsOf(text: string): Pad[] {
  const pads: Pad[] = [];
  let at = 0;
  /** The column of the last key or dash, and what the line before it left open. */
  let open: Open = { column: -1, is: 'none' };
  while (at < text.length) {
    const end = endOfLine(text, at);
    const first = firstOf(text, at, end);
    if (first === end || (open.is !== 'none' && first - at > open.column)) {
      at = end + 1;
      continue;
    }
    const { opened, next } = readLine(text, at, first, pads);
    open = opened;
    at = next;
  }
  return pads;
}

interface Open {
  readonly column: number;
  /** `text`: further lines of a text follow as long as they are further right than the column. */
  readonly is: 'none' | 'text';
}

interface Line {
  readonly opened: Open;
  /** Where the next line begins. */
  readonly next: number;
}

/** Reads a line of a block, and the lines that its brackets and quotes span. */
function readLine(text: string, start: number, first: number, pads: Pad[]): Line {
  let column = -1;
  let at = first;
  /** Where the entry begins that is being read: its tag and its anchor belong to it. */
  let entry = -1;
  let isText = false;
  let lineStart = start;
  while (at < text.length && text[at] !== '\n') {
    const char = text.charAt(at);
    if ('|>'.includes(char)) return { opened: { column, is: 'text' }, next: endOfLine(text, at) + 1 };
    if (entry === -1 && !isBlank(char)) entry = at;
    const passed = endOfSmall(text, at);
    if (passed === at) {
      const part = partAt(text, at, { column: column === -1 ? first - lineStart : column, pads });
      if (part.isSpanning) lineStart = text.lastIndexOf('\n', part.end - 1) + 1;
      isText = part.isPlain;
      at = part.end;
    } else {
      if ('-?:'.includes(char)) {
        column = Math.max(column, entry - lineStart);
        entry = -1;
        isText = false;
      }
      at = passed;
    }
  }
  return { opened: { column, is: isText ? 'text' : 'none' }, next: at + 1 };
}

/**
 * Behind a blank, a comment, the sign of an entry, a tag, an anchor or an alias; the same place if none
 * begins here.
 */
function endOfSmall(text: string, at: number): number {
  const char = text.charAt(at);
  if (char === ' ' || char === '\t') return at + 1;
  if (char === '#' && isBlank(text[at - 1])) return endOfLine(text, at);
  if ('-?:'.includes(char) && isBlank(text[at + 1])) return at + 1;
  return '&!*'.includes(char) ? endOfWord(text, at) : at;
}

interface Part {
  readonly end: number;
  readonly isPlain: boolean;
  readonly isSpanning: boolean;
}

interface Margin {
  readonly column: number;
  readonly pads: Pad[];
}

function partAt(text: string, at: number, margin: Margin): Part {
  const char = text.charAt(at);
  if (char === '"' || char === "'") return padded(text, at, endOfQuoted(text, at), margin);
  if (char === '[' || char === '{') return padded(text, at, endOfBrackets(text, at), margin);
  return { end: endOfPlain(text, at, false), isPlain: true, isSpanning: false };
}

function padded(text: string, at: number, end: number, { column, pads }: Margin): Part {
  const columns = Math.min(column + 2, WIDEST);
  let isSpanning = false;
  for (let line = text.indexOf('\n', at); line !== -1 && line < end; line = text.indexOf('\n', line + 1)) {
    if (text[line + 1] !== '\n') pads.push({ at: line + 1, columns });
    isSpanning = true;
  }
  return { end, isPlain: false, isSpanning };
}

function endOfQuoted(text: string, at: number): number {
  const quote = text.charAt(at);
  for (let place = at + 1; place < text.length; place += 1) {
    const char = text[place];
    if (char === '\\' && quote === '"') place += 1;
    else if (char === quote && quote === "'" && text[place + 1] === quote) place += 1;
    else if (char === quote) return place + 1;
  }
  return text.length;
}

function endOfBrackets(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"' || char === "'") at = endOfQuoted(text, at);
    else if (char === '#' && isBlank(text[at - 1])) at = endOfLine(text, at);
    else if (' \t\n,:?-'.includes(char)) at += 1;
    else if (char === '[' || char === '{') {
      depth += 1;
      at += 1;
    } else if (char === ']' || char === '}') {
      depth -= 1;
      at += 1;
      if (depth === 0) return at;
    } else at = endOfPlain(text, at, true);
  }
  return at;
}

/** Of a text without quotes, within its line. */
function endOfPlain(text: string, from: number, inBrackets: boolean): number {
  let at = from;
  for (; at < text.length && text[at] !== '\n'; at += 1) {
    const char = text.charAt(at);
    if (char === ':' && (isBlank(text[at + 1]) || (inBrackets && ',[]{}'.includes(text[at + 1] ?? ' '))))
      break;
    if (char === '#' && isBlank(text[at - 1])) break;
    if (inBrackets && ',[]{}'.includes(char)) break;
  }
  return Math.max(at, from + 1);
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBlank(text[at])) at += 1;
  return at;
}

function firstOf(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(text[at])) at += 1;
  return at;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function isBlank(char: string | undefined): boolean {
  return char === undefined || char === ' ' || char === '\t' || char === '\n';
}
