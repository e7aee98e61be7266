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
    ...(Object.keys(page.beside ?? {}).length > 0 ? [besides(page.ends ?? [])] : []),
    ...(page.given ?? []).flatMap((command) => told('given', command)),
    ...commands.flatMap((command) => stepOf(page, command)),
    '',
  ].join('\n');
}

function keysOf({ before, beside, endless, left }: Page): string[] {
  const named = [before, beside, left].flatMap((table) => Object.keys(table ?? {}));
  return [...named, ...(endless ?? [])];
}

/** How long what goes on beside the reader may take until it can be used, in seconds. */
const USABLE_S = 300;

/**
 * Functions of the shell: `beside` begins a command in a terminal of its own, and `usable` waits for what all
 * of them say then. All end with the script.
 */
function besides(ends: readonly string[]): string {
  return `pids=() logs=() words=()
beside() { local log; log=$(mktemp); bash -c "$1" > "$log" 2>&1 & pids+=($!) logs+=("$log") words+=("$2"); }
usable() {
  local i n
  for i in "\${!pids[@]}"; do
    for n in $(seq ${USABLE_S * 5}); do
      grep -qF -- "\${words[$i]}" "\${logs[$i]}" && continue 2
      kill -0 "\${pids[$i]}" 2> /dev/null || break
      sleep 0.2
    done
    cat "\${logs[$i]}"
    echo "It has not said: \${words[$i]}"
    return 1
  done
}
finish() {
  local code=$?
  trap - EXIT
  set +e
  ${ends.map((command) => `{ ${command}; } > /dev/null`).join('\n  ')}
  kill "\${pids[@]}" 2> /dev/null
  wait
  rm -f "\${logs[@]}"
  exit $code
}
trap finish EXIT`;
}

function stepOf(page: Page, { text, line, files }: Command): string[] {
  const place = `${page.file}:${line}`;
  const reason = Object.entries(page.left ?? {}).find(([begin]) => text.startsWith(begin))?.[1];
  if (reason !== undefined)
    return [`printf '%s\\n' ${quoted(`${place} is left out, since ${reason}: ${text}`)}`];
  const before = Object.entries(page.before ?? {}).find(([begin]) => text.startsWith(begin))?.[1] ?? [];
  const says = Object.entries(page.beside ?? {}).find(([begin]) => text.startsWith(begin))?.[1];
  if (says !== undefined) return [saying(place, text), `beside ${quoted(text)} ${quoted(says)}`];
  const isEndless = page.endless?.some((begin) => text.startsWith(begin)) === true;
  return [
    ...(page.beside === undefined ? [] : ['usable']),
    ...before.flatMap((command) => told('before it', command)),
    ...Object.entries(files).map(
      ([name, content]) => `[ -e ${name} ] || printf %s ${quoted(content)} > ${name}`,
    ),
    ...told(place, isEndless ? `timeout ${LOOK_S} ${text}` : text, isEndless),
  ];
}

function told(place: string, command: string, isEndless = false): string[] {
  const said = saying(place, command);
  if (!isEndless) return [said, command];
  return [said, 'code=0', `${command.replace(/\s+#.*$/, '')} || code=$?`, `[ $code = ${STILL_RUNNING} ]`];
}

function saying(place: string, command: string): string {
  return `printf '\\n%s\\n' ${quoted(`${place} $ ${command}`)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
