// How the body of a watch is split into lines.
import { linesOf } from '../../../kube/watch/stream.ts';

async function* chunks(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

const bytes = new TextEncoder().encode('{"a":"ü"}\n');

describe('a stream is split into lines', () => {
  it.each([
    ['one line per chunk', chunks('a\n', 'b\n'), ['a', 'b']],
    ['several lines in one chunk', chunks('a\nb\nc\n'), ['a', 'b', 'c']],
    ['a line that spans several chunks', chunks('a', 'b', '', 'c\nd', '\n'), ['abc', 'd']],
    ['a character that spans two chunks', chunks(bytes.slice(0, 7), bytes.slice(7)), ['{"a":"ü"}']],
    ['empty lines, which are dropped', chunks('\n\r\n', 'a\n \n'), ['a']],
    ['a last line without a newline, which is dropped', chunks('a\nb'), ['a']],
    ['an empty stream', chunks(), []],
  ])('%s', async (_, stream, lines) => {
    expect(await Array.fromAsync(linesOf(stream))).toEqual(lines);
  });
});
