// Where go-yaml and the package that parses differ in blanks alone: in brackets and quotes go-yaml lets lines
// begin anywhere, also left of the key, and tabs part entries there and follow keys; behind quotes and
// brackets a comment may follow at once, and behind an alias the colon. This finds such places and gives them
// blanks, which changes no value. Pure, and linear in the size of the text.

/** A document with a blank wherever the package wants one and go-yaml does not. */
export function respaced(text: string): string {
  const pads = padsOf(text);
  if (pads.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { at, columns, isTab } of pads.toSorted((one, other) => one.at - other.at)) {
    parts.push(text.slice(from, at), ' '.repeat(columns));
    from = isTab === true ? at + 1 : at;
  }
  return parts.join('') + text.slice(from);
}

interface Pad {
  readonly at: number;
  readonly columns: number;
  /** It takes the place of a tab. */
  readonly isTab?: true;
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
    const { opened, next } = readLine(text, { start: at, first, parent: open.column }, pads);
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

interface Begun {
  readonly start: number;
  /** Its first sign that is no blank. */
  readonly first: number;
  /** The column of the key or dash before it: it may be the value of that. */
  readonly parent: number;
}

/** Reads a line of a block, and the lines that its brackets and quotes span. */
function readLine(text: string, { start, first, parent }: Begun, pads: Pad[]): Line {
  let column = -1;
  let at = first;
  /** Where the entry begins that is being read: its tag and its anchor belong to it. */
  let entry = -1;
  let isText = false;
  let lineStart = start;
  while (at < text.length && text[at] !== '\n') {
    const char = text.charAt(at);
    if ('|>'.includes(char)) {
      const header = /[|>][-+\d]*/y;
      header.lastIndex = at;
      header.test(text);
      padComment(text, header.lastIndex, pads);
      const opened: Open = { column: column === -1 ? parent : column, is: 'text' };
      return { opened, next: endOfLine(text, at) + 1 };
    }
    if (entry === -1 && !isBlank(char)) entry = at;
    const passed = endOfSmall(text, at, pads);
    if (passed === at) {
      const part = partAt(text, at, { column: column === -1 ? first - lineStart : column, pads });
      if (part.isSpanning) lineStart = text.lastIndexOf('\n', part.end - 1) + 1;
      isText = part.isPlain;
      at = part.isPlain ? part.end : padComment(text, part.end, pads);
    } else {
      if ('-?:'.includes(char)) {
        column = Math.max(column, entry - lineStart);
        entry = -1;
        isText = false;
      }
      at = passed;
    }
  }
  const opened: Open = { column: column === -1 ? parent : column, is: isText ? 'text' : 'none' };
  return { opened, next: at + 1 };
}

/**
 * Behind a blank, a comment, the sign of an entry, a tag, an anchor or an alias; the same place if none
 * begins here.
 */
function endOfSmall(text: string, at: number, pads: Pad[]): number {
  const char = text.charAt(at);
  if (char === ' ' || char === '\t') return at + 1;
  if (char === '#' && isBlank(text[at - 1])) return endOfLine(text, at);
  if (char === ':') padTabs(text, at + 1, pads);
  if ('-?:'.includes(char) && isBlank(text[at + 1])) return at + 1;
  if (char === '*') return endOfAlias(text, at, pads);
  return '&!'.includes(char) ? endOfWord(text, at) : at;
}

/** Those between a key and its value. */
function padTabs(text: string, from: number, pads: Pad[]): void {
  for (let at = from; text[at] === ' ' || text[at] === '\t'; at += 1)
    if (text[at] === '\t') pads.push({ at, columns: 1, isTab: true });
}

/** The end of a comment that begins at once; the same place if none does. */
function padComment(text: string, at: number, pads: Pad[]): number {
  if (text[at] !== '#') return at;
  pads.push({ at, columns: 1 });
  return endOfLine(text, at);
}

/** Of the letters that go-yaml allows it; a colon behind it is the sign of a key. */
function endOfAlias(text: string, at: number, pads: Pad[]): number {
  const name = /\*[\w-]+/y;
  name.lastIndex = at;
  if (!name.test(text)) return at + 1;
  if (text[name.lastIndex] === ':') pads.push({ at: name.lastIndex, columns: 1 });
  return name.lastIndex;
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
  if (char === '[' || char === '{') return padded(text, at, endOfBrackets(text, at, margin.pads), margin);
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

function endOfBrackets(text: string, from: number, pads: Pad[]): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\t') pads.push({ at, columns: 1, isTab: true });
    if (char === '"' || char === "'") at = endOfQuoted(text, at);
    else if (char === '#') at = isBlank(text[at - 1]) ? endOfLine(text, at) : padComment(text, at, pads);
    else if (char === '*') at = endOfAlias(text, at, pads);
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
