// Draws a picture of several lines over the one before it.
import type { Terminal } from '../terminal.ts';

/** Each line has to fit into the width of the terminal. */
export function drawer({ out }: Pick<Terminal, 'out'>): (lines: readonly string[]) => void {
  let drawn = 0;
  return (lines) => {
    // To the first line of what was drawn, and nothing below it.
    const over = drawn === 0 ? '' : `\u001b[${drawn}A\u001b[0J`;
    drawn = lines.length;
    out(`${over}${lines.join('\n')}`);
  };
}

/** Cut to the width, so that one sentence is one line. */
export function cutTo(width: number, text: string): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
