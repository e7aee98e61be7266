// Cuts a text into documents where kubectl does (apimachinery: pkg/util/yaml/decoder.go). Pure.
import { FileFault } from './fault.ts';

/** A YAML document, and the number of its first line, from 1. */
export interface Chunk {
  readonly text: string;
  readonly line: number;
}

/**
 * At lines that begin with three dashes, also inside a text. Throws FileFault for a line with more behind
 * them.
 */
export function chunksOf(text: string, firstLine = 1): Chunk[] {
  const chunks: Chunk[] = [];
  let line = firstLine;
  let start = 0;
  let chunkLine = line;
  for (let at = 0; at < text.length; line += 1) {
    const end = endOfLine(text, at);
    if (text.startsWith('---', at)) {
      checkSeparator(text.slice(at + 3, end), line);
      chunks.push({ text: text.slice(start, at), line: chunkLine });
      start = Math.min(end + 1, text.length);
      chunkLine = line + 1;
    }
    at = end + 1;
  }
  chunks.push({ text: text.slice(start), line: chunkLine });
  return chunks.filter((chunk) => chunk.text.trim() !== '');
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function checkSeparator(rest: string, line: number): void {
  if (/^\s*(#|$)/.test(rest)) return;
  throw new FileFault(line, 'only a comment may stand behind ---: begin the document on a line of its own');
}

/** What a text of JSON begins with: the texts of its objects, and where the rest begins. */
export interface JsonTexts {
  readonly objects: readonly string[];
  readonly end: number;
}

/** Whether kubectl first tries to read it as JSON. */
export function looksLikeJson(text: string): boolean {
  return text.slice(0, 4096).trimStart().startsWith('{');
}

/** As many whole objects as stand there one behind the other. */
export function jsonTexts(text: string): JsonTexts {
  const objects: string[] = [];
  let end = 0;
  for (;;) {
    const start = end + (/^\s*/.exec(text.slice(end, end + 4096))?.[0].length ?? 0);
    const stop = text[start] === '{' ? endOfObject(text, start) : -1;
    if (stop === -1) return { objects, end };
    objects.push(text.slice(start, stop));
    end = stop;
  }
}

const PARTS = /"(?:[^"\\]|\\.)*"|[{}]/gsy;
const SKIPPED = /[^"{}]*/gy;

function endOfObject(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (;;) {
    SKIPPED.lastIndex = at;
    SKIPPED.test(text);
    PARTS.lastIndex = SKIPPED.lastIndex;
    const [part] = PARTS.exec(text) ?? [];
    if (part === undefined) return -1;
    at = PARTS.lastIndex;
    if (part === '{') depth += 1;
    else if (part === '}' && --depth === 0) return at;
  }
}
