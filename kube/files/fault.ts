// Why a file cannot be read.

/**
 * Its message says what is wrong on `line` and what would help; it quotes nothing, since a manifest may be a
 * Secret.
 */
export class FileFault extends Error {
  /** From 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** A document that is longer than its reader takes. */
export class TooLong extends FileFault {}

/** The line, from 1, of a place in a text. */
export function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
