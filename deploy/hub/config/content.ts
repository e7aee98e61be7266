// The fields of a hub's configuration file, as they are written.
import { LineCounter, parseDocument } from 'yaml';
import { ConfigRefused } from './refused.ts';

/** Throws ConfigRefused for what is not YAML, or no mapping. `example` is a field as one writes it. */
export function fileContent(
  { path, text }: { readonly path: string; readonly text: string },
  example: string,
): Readonly<Record<string, unknown>> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const sentences = document.errors.map(({ message }) => `${path} is no valid YAML: ${message.trim()}`);
  if (sentences.length > 0) throw new ConfigRefused(sentences);
  const content = valuesOf(path, () => document.toJS() as unknown) ?? {};
  if (typeof content !== 'object' || Array.isArray(content))
    throw new ConfigRefused([`${path} must hold fields, such as ${example}.`]);
  return content as Record<string, unknown>;
}

/** An alias is looked up only now. */
function valuesOf(path: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw new ConfigRefused([
      `${path} is no valid YAML: ${(error as Error).message}. A value that begins with * must be in quotes.`,
    ]);
  }
}
