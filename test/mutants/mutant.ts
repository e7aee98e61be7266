// A mutant is a small fault in the code, made on purpose, that the tests must detect.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Mutant {
  /** The faulty behavior, as a sentence. */
  readonly breaks: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** The function that contains `text` exactly once, or null for the whole file. */
  readonly inside: string | null;
  readonly text: string;
  readonly becomes: string;
  /** Test files that should detect it. All other tests run only if these do not. */
  readonly seenBy: readonly string[];
}

export interface MutatedSource {
  /** The file's text with the fault. */
  readonly source: string;
  /** From 1. */
  readonly line: number;
}

/**
 * Applies the fault to the source, in memory. Throws when `text` is not there exactly once; the message says
 * what to correct.
 */
export function applyMutant(root: string, { file, inside, text, becomes }: Mutant): MutatedSource {
  const source = readFileSync(join(root, file), 'utf8');
  const { from, to } = inside === null ? { from: 0, to: source.length } : bodyOf(file, source, inside);
  const at = source.indexOf(text, from);
  const place = inside === null ? file : `${inside} of ${file}`;
  if (at < 0 || at >= to)
    throw new Error(
      `${place} no longer has ${JSON.stringify(text)}: rewrite this mutant for the current code`,
    );
  const again = source.indexOf(text, at + 1);
  if (again >= 0 && again < to)
    throw new Error(`${place} has ${JSON.stringify(text)} more than once: give the mutant a longer text`);
  return {
    source: source.slice(0, at) + becomes + source.slice(at + text.length),
    line: source.slice(0, at).split('\n').length,
  };
}

/** From the function's declaration to the next declaration at the start of a line. */
function bodyOf(file: string, source: string, name: string): { from: number; to: number } {
  const declaration = new RegExp(`^(?:export )?(?:async )?function\\*? ${name}\\b`, 'm').exec(source);
  if (declaration === null)
    throw new Error(`${file} has no function ${name}: rewrite this mutant for the current code`);
  const from = declaration.index;
  const next = /\n(?:export )?(?:async )?(?:function|class|const) /.exec(source.slice(from + 1));
  return { from, to: next === null ? source.length : from + 1 + next.index };
}
