// What a check expects of the numbers that a query gives: `result` compared with a number, joined by `&&`. It
// is read by a regular expression and nothing is evaluated.
import { compares } from './expect.ts';

const TERM = 'result *(?:==|!=|<=|>=|<|>) *-?[0-9]{1,15}(?:\\.[0-9]{1,15})?';

/** For the API server, which takes RE2. */
export const RESULT_EXPECTATION = `^ *${TERM}( *&& *${TERM})* *$`;
const WHOLE = new RegExp(RESULT_EXPECTATION);
const EACH = new RegExp(TERM, 'g');
const COMPARISON = /^result *(==|!=|<=|>=|<|>) *(\S+)$/;

export const LONGEST_RESULT_EXPECTATION = 100;

/** What is no expectation is never met, and neither is one of what is no number. */
export function isResultMet(expectation: string, result: number): boolean {
  if (expectation.length > LONGEST_RESULT_EXPECTATION || !WHOLE.test(expectation)) return false;
  if (Number.isNaN(result)) return false;
  return (expectation.match(EACH) ?? []).every((term) => {
    const [, operator = '', number = ''] = COMPARISON.exec(term) ?? [];
    return compares(result, operator, Number(number));
  });
}
