// Divides a query into its words. Only what Prometheus and every system like it divide in the same way is
// taken: plain ASCII, no comments, and no text in which a character means something else than itself.

export type TokenKind = 'word' | 'number' | 'duration' | 'text' | 'sign' | 'end';

export interface QueryToken {
  readonly is: TokenKind;
  /** As it was written; of a text, what is between its quotes. */
  readonly text: string;
}

/** What keeps a query from being asked, as a sentence without its full stop. */
export class QueryFault extends Error {}

const PATTERNS = [
  ['duration', /(?:\d+(?:ms|[smhdwy]))+(?![\w.])/y],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])/y],
  ['word', /[a-zA-Z_:][\w:]*/y],
  ['text', /"[^"\\]*"|'[^'"\\]*'/y],
  ['sign', /==|!=|=~|!~|>=|<=|[-+*/%^=<>(){}[\],]/y],
] as const satisfies readonly (readonly [TokenKind, RegExp])[];

const SPACE = /[ \t\r\n]*/y;
const SHOWN = 12;

/** Throws QueryFault. The last one is the end. */
export function tokensOf(query: string): readonly QueryToken[] {
  const tokens: QueryToken[] = [];
  let at = spaceFrom(query, 0);
  while (at < query.length) {
    const token = tokenAt(query, at);
    const quotes = token.is === 'text' ? 2 : 0;
    tokens.push(token);
    at = spaceFrom(query, at + token.text.length + quotes);
  }
  return [...tokens, { is: 'end', text: '' }];
}

function spaceFrom(query: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(query)?.[0].length ?? 0);
}

function tokenAt(query: string, at: number): QueryToken {
  for (const [is, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(query) ?? [];
    if (found === undefined) continue;
    if (is !== 'text') return { is, text: found };
    const text = found.slice(1, -1);
    if (!/^[ -~]*$/.test(text)) throw new QueryFault('a text has printable ASCII characters alone');
    return { is, text };
  }
  throw new QueryFault(whyNot(query, at));
}

function whyNot(query: string, at: number): string {
  const next = query.charAt(at);
  if (next === '#') return 'leave comments out';
  if (next === '@') return 'leave @ out: a check is about now';
  if (next === '`') return 'write texts in double quotes';
  if (next === '"' || next === "'") return 'a text is closed, and has no backslash in it: write [.] for \\.';
  return `it cannot be read from ${shown(query.slice(at))} on`;
}

/** A few characters, such that nobody's terminal takes them for more. */
export function shown(text: string): string {
  return `"${text.slice(0, SHOWN).replace(/[^ -~]/g, '?')}"`;
}

/** Of a word that cannot stand where it stands. */
export function unread({ next }: { readonly next: () => QueryToken }): QueryFault {
  const { is, text } = next();
  return new QueryFault(is === 'end' ? 'it ends too early' : `it cannot be read from ${shown(text)} on`);
}
