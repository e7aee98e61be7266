// What is nearly JSON, and would mean something else as YAML: a comment as JavaScript has it becomes a key,
// and the line break within a text a blank. kubectl reads neither.
import { FileFault, lineAt } from './fault.ts';
import type { Chunk } from './stream.ts';

/** A text in double quotes up to its end or that of its line, the start of a comment, and what is neither. */
const PARTS = /"(?:[^"\\\n]|\\.)*("?)|\/[/*]|\/|[^"/]+/gy;

/** In time linear in the text. Throws FileFault. */
export function refuseNearJson({ text, line }: Chunk = { text: '', line: 1 }): void {
  for (const { 0: part, 1: closing, index } of text.matchAll(PARTS)) {
    const message = part.startsWith('"')
      ? closing === '' && opensText(text, index) && UNCLOSED
      : /^\/[/*]$/.test(part) && /[\s,{}[\]"]|^$/.test(text.slice(index - 1, index)) && COMMENT;
    if (message !== false) throw new FileFault(line + lineAt(text, index) - 1, message);
  }
}

const UNCLOSED =
  'a text in quotes ends on another line, which JSON does not have: write \\n for the line break';
const COMMENT = 'JSON has no comments: take this one out, or write the file as YAML, with # before it';

/** YAML may have a quote within a text. */
function opensText(text: string, index: number): boolean {
  return /[,:{[]\s*$/.test(text.slice(Math.max(0, index - 100), index));
}
