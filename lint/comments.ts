// Keeps lines of comments to the width of the code: the formatter breaks code, and leaves comments as they
// are.

/** As `printWidth` in .oxfmtrc.json. */
const WIDTH = 110;

const ONE_LINE = /^(\s*)\/\*\* (.*) \*\/$/;
const PROSE = /^(\s*)(\/\/|\*) (.*)$/;
/** What begins a line of its own: a list, a tag, a command to a tool, code. */
const APART = /^(- |@|\d+\. |Usage: | {2,}|oxlint|<reference|\|)/;
/** What a tool reads must stay on its line. */
const COMMAND = /^(@ts-|oxlint|<reference)/;

/** One message for each line that can be broken and is too wide. */
export function wideComments(file: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      isWide(line)
        ? [
            `${file}:${index + 1}: a comment has ${line.length} columns, and ${WIDTH} at most fit. \`node lint/reflow.ts\` breaks it.`,
          ]
        : [],
    );
}

/** The same text with each comment in lines that fit. */
export function reflowed(text: string): string {
  const lines = text.split('\n');
  const done: string[] = [];
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (!isWide(line)) done.push(line);
    else {
      const [indent = '', words = ''] = ONE_LINE.exec(line)?.slice(1) ?? [];
      if (words === '') done.push(broken(line, lines));
      else lines.unshift(`${indent}/**`, `${indent} * ${words}`, `${indent} */`);
    }
  }
  return done.join('\n');
}

function isWide(line: string): boolean {
  return line.length > WIDTH && (ONE_LINE.test(line) || breakOf(line) > 0);
}

/** The first part of a line; the rest is put before the words of the next one, or makes a line of its own. */
function broken(line: string, next: string[]): string {
  const at = breakOf(line);
  const [indent = '', mark = ''] = PROSE.exec(line)?.slice(1) ?? [];
  const rest = line.slice(at + 1);
  const [, nextIndent, nextMark, words = ''] = PROSE.exec(next[0] ?? '') ?? [];
  if (nextIndent === indent && nextMark === mark && !APART.test(words))
    next[0] = `${indent}${mark} ${rest} ${words}`;
  else next.unshift(`${indent}${mark} ${rest}`);
  return line.slice(0, at);
}

/** The last space of the line that fits; 0 if it cannot be broken, or is no prose. */
function breakOf(line: string): number {
  const [, indent = '', mark = '', words = ''] = PROSE.exec(line) ?? [];
  if (words === '' || / {3}/.test(words) || COMMAND.test(words)) return 0;
  const at = line.lastIndexOf(' ', WIDTH);
  return at > indent.length + mark.length + 1 ? at : 0;
}
