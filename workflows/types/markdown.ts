// Text of others in the Temporal UI, which shows Markdown: it stays the text that it is.

const SIGNS = /[\\`*[\]<|]/g;

/**
 * On one line, without links, pictures, tables and emphasis of its own. A link that nobody of ours wrote
 * leads nowhere.
 */
export function asText(said: string): string {
  return said
    .replaceAll(/\s+/g, ' ')
    .replaceAll(SIGNS, String.raw`\$&`)
    .replaceAll('://', String.raw`:\/\/`)
    .replaceAll(/\bwww\./gi, String.raw`www\.`);
}
