// What is wrong with a line of YAML, and what helps, without what stands in it. Pure.
import type { YAMLException } from 'js-yaml';
import { SEPARATOR } from './doubtful.ts';
import type { FileFault } from './fault.ts';
import { NO_KEY } from './scalars.ts';

/** Maps and lists one inside the other. Kubernetes' own schemas have some fifty. */
export const MOST_NESTED = 500;

export const NESTED = `maps and lists are nested more than ${MOST_NESTED} deep: write fewer levels`;

/** What YAML reads as a sign of its own where a value begins. */
const SIGN = /(?::|-|,|\[|\{)\s+([*@`%])/;
const TEMPLATE =
  'the line has {{: put the value in quotes, or, if a chart renders the file, ship what that renders';

/** Of a fault on this line. To YAML a template in braces is a map that is a key. */
export function wordsIn({ message }: FileFault, line: string): string {
  return message.includes(NO_KEY) && line.includes('{{') ? TEMPLATE : message;
}

/** Without what the package quotes of the file. */
export function wordsOf({ reason }: YAMLException, line: string): string {
  if (reason.startsWith('null byte'))
    return 'there is a null byte, as in files of UTF-16 without a byte order mark, of UTF-32, and compressed ones: save the file in UTF-8';
  if (line.includes('{{')) return TEMPLATE;
  if (/[\u2028\u2029]/.test(line)) return SEPARATOR;
  if (reason.startsWith('directives end mark'))
    return 'kubectl reads no document with a line that begins with % before its ---: take that line out';
  if (/^(?:%|\.\.\.)/.test(line))
    return `kubectl reads nothing that follows a line with ${line[0] === '%' ? '%' : '...'}: put the line before the --- of its document, or indent it`;
  if (reason.includes('non-printable'))
    return 'a control character such as a form feed is in the document: take it out, or write it in double quotes, as \\x0c';
  const [, sign] = SIGN.exec(line) ?? [];
  if (sign !== undefined) return `a value that begins with ${sign} needs quotes around it`;
  if (reason.startsWith('nesting exceeded')) return NESTED;
  const [said = ''] = reason.split(/ "|: /);
  return `the YAML cannot be read (${said}): look at indentation, quotes and colons there`;
}
