// The blocks of a page that a reader pastes: commands of the shell, and the files that these commands name.

export interface Block {
  /** The word behind the fence: `sh`, `yaml`, or none. */
  readonly language: string;
  /** Without the blanks that all of its lines begin with, as in a list. */
  readonly text: string;
  /** The line of the page on which its text begins, counted from 1. */
  readonly line: number;
}

export interface Command {
  readonly text: string;
  readonly line: number;
  /** Files that the page shows above and this command reads: name and content. */
  readonly files: Readonly<Record<string, string>>;
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map((found) => ({
    language: found[1] ?? '',
    text: unindented(found[2] ?? ''),
    line: page.slice(0, found.index).split('\n').length + 1,
  }));
}

/**
 * What a reader types, in order: the commands of blocks of the shell, and the lines behind `$` of those that
 * show output too. A command reads the last block of YAML above it as the file that it names.
 */
export function commandsOf(page: string): Command[] {
  let shown = '';
  return blocksOf(page).flatMap(({ language, text, line }) => {
    if (language === 'yaml') shown = text;
    if (language !== 'sh' && language !== '') return [];
    return split(language === 'sh' ? text : typed(text)).map((command) => ({
      text: command.text,
      line: line + command.from,
      files: Object.fromEntries(filesIn(command.text).map((name) => [name, shown])),
    }));
  });
}

/** The lines behind `$`. The other lines stay as empty ones, so that lines keep their numbers. */
function typed(text: string): string {
  const lines = text.split('\n');
  return lines.map((line) => (line.startsWith('$ ') ? line.slice(2) : '')).join('\n');
}

function filesIn(command: string): string[] {
  return [...command.matchAll(/ -f ([\w.-]+\.yaml)/g)].map(([, name = '']) => name);
}

/** A command ends with its line, but for a here-document, a loop, and a line that ends with a backslash. */
function split(block: string): { readonly text: string; readonly from: number }[] {
  const lines = block.split('\n');
  const commands: { text: string; from: number }[] = [];
  let open: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (open.length === 0 && (line.trim() === '' || line.startsWith('#'))) continue;
    open.push(line);
    if (!isWhole(open)) continue;
    commands.push({ text: open.join('\n'), from: index - open.length + 1 });
    open = [];
  }
  if (open.length > 0) throw new Error(`A command does not end: ${open.join('\n')}`);
  return commands;
}

function isWhole(lines: readonly string[]): boolean {
  const last = lines.at(-1) ?? '';
  if (lines[0]?.includes('<<EOF')) return last.trim() === 'EOF';
  if (/^(for|while) /.test(lines[0] ?? '')) return last.trim() === 'done';
  return !last.endsWith('\\');
}

function unindented(block: string): string {
  const lines = block.split('\n');
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const depth = Math.min(...depths);
  return lines.map((line) => line.slice(depth)).join('\n');
}
