// A terminal for tests, which keeps what is written.
import picocolors from 'picocolors';
import type { Terminal } from '../../../../cli/terminal.ts';

export interface TerminalForTests {
  readonly terminal: Terminal;
  readonly out: string[];
  readonly notes: string[];
}

/** Without colours; `answer` is what the person says to every question. */
export function aTerminal(answer = false): TerminalForTests {
  const out: string[] = [];
  const notes: string[] = [];
  const terminal: Terminal = {
    out: (text) => void out.push(text),
    note: (text) => void notes.push(text),
    colours: NO_COLOURS,
    isLive: false,
    width: 80,
    interrupted: new AbortController().signal,
    env: {},
    confirm: async () => answer,
  };
  return { terminal, out, notes };
}

export const NO_COLOURS = picocolors.createColors(false);
