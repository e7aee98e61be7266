// One script of bash for one page. It ends at the first command that fails, and has printed that command as
// its last one.
import type { Command } from './blocks.ts';
import type { Page } from './pages.ts';

/** How long a reader looks at a command that goes on until it is ended, in seconds. */
const LOOK_S = 5;

/** The exit code of `timeout` for a command that was still running. */
const STILL_RUNNING = 124;

export function scriptOf(page: Page, commands: readonly Command[]): string {
  const unused = [...keysOf(page)].filter((key) => !commands.some(({ text }) => text.startsWith(key)));
  if (unused.length > 0)
    throw new Error(`${page.file} has no command that begins with: ${unused.join('; ')}. Correct pages.ts.`);
  return [
    'set -eE -o pipefail',
    ...(page.given ?? []).flatMap((command) => told('given', command)),
    ...commands.flatMap((command) => stepOf(page, command)),
    '',
  ].join('\n');
}

function keysOf({ before, endless, left }: Page): string[] {
  return [...Object.keys(before ?? {}), ...Object.keys(left ?? {}), ...(endless ?? [])];
}

function stepOf(page: Page, { text, line, files }: Command): string[] {
  const place = `${page.file}:${line}`;
  const reason = Object.entries(page.left ?? {}).find(([begin]) => text.startsWith(begin))?.[1];
  if (reason !== undefined)
    return [`printf '%s\\n' ${quoted(`${place} is left out, since ${reason}: ${text}`)}`];
  const before = Object.entries(page.before ?? {}).find(([begin]) => text.startsWith(begin))?.[1] ?? [];
  const isEndless = page.endless?.some((begin) => text.startsWith(begin)) === true;
  return [
    ...before.flatMap((command) => told('before it', command)),
    ...Object.entries(files).map(
      ([name, content]) => `[ -e ${name} ] || printf %s ${quoted(content)} > ${name}`,
    ),
    ...told(place, isEndless ? `timeout ${LOOK_S} ${text}` : text, isEndless),
  ];
}

function told(place: string, command: string, isEndless = false): string[] {
  const said = `printf '\\n%s\\n' ${quoted(`${place} $ ${command}`)}`;
  if (!isEndless) return [said, command];
  return [said, 'code=0', `${command.replace(/\s+#.*$/, '')} || code=$?`, `[ $code = ${STILL_RUNNING} ]`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
