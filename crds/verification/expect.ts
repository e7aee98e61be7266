// What a check expects of an answer, in a language of two words: `status` and `body.contains('…')`, joined by
// `&&`. It is read by a regular expression and nothing is evaluated.

/** What an answer was. */
export interface AnsweredCheck {
  readonly status: number;
  /** The beginning of the body, as text. */
  readonly body: string;
  /** The body goes on behind `body`. */
  readonly isCut: boolean;
}

const STATUS = 'status *(?:==|!=|<=|>=|<|>) *[1-5][0-9][0-9]';
const CONTAINS = "!?body\\.contains\\('[^'\\\\]{1,100}'\\)";
const TERM = `(?:${STATUS}|${CONTAINS})`;

/** For the API server, which takes RE2. */
export const EXPECTATION = `^ *${TERM}( *&& *${TERM})* *$`;
const WHOLE = new RegExp(EXPECTATION);
const EACH = new RegExp(TERM, 'g');
const COMPARISON = /^status *(==|!=|<=|>=|<|>) *(\d{3})$/;
const HOLDS = /^(!?)body\.contains\('(.*)'\)$/s;

export const EXPECTED = 'status >= 200 && status < 300';
export const LONGEST_EXPECTATION = 256;

export function isExpectation(text: string): boolean {
  return text.length <= LONGEST_EXPECTATION && WHOLE.test(text);
}

/**
 * Whether the answer is as expected. Null where nobody can know: the text was not found in the part of the
 * body that was read, and there is more. What is no expectation is never met.
 */
export function isMet(expectation: string, answer: AnsweredCheck): boolean | null {
  if (!isExpectation(expectation)) return false;
  const met = new Set((expectation.match(EACH) ?? []).map((term) => isTermMet(term, answer)));
  if (met.has(false)) return false;
  return met.has(null) ? null : true;
}

function isTermMet(term: string, { status, body, isCut }: AnsweredCheck): boolean | null {
  const [, operator = '', number = ''] = COMPARISON.exec(term) ?? [];
  if (operator !== '') return compares(status, operator, Number(number));
  const [, not = '', text = ''] = HOLDS.exec(term) ?? [];
  const isFound = body.includes(text);
  if (!isFound && isCut) return null;
  return isFound !== (not === '!');
}

/** `operator`: one of the six, of which the last is `>`. */
export function compares(given: number, operator: string, other: number): boolean {
  switch (operator) {
    case '==':
      return given === other;
    case '!=':
      return given !== other;
    case '<=':
      return given <= other;
    case '>=':
      return given >= other;
    case '<':
      return given < other;
    default:
      return given > other;
  }
}
