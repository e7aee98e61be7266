import { linesOf } from '../../../kube/watch/stream.ts';

async function* chunks(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

const bytes = new TextEncoder().encode('{"a":"ü"}\n');

describe('a stream is cut into lines', () => {
  it.each([
    ['one in a chunk', chunks('a\n', 'b\n'), ['a', 'b']],
    ['many in a chunk', chunks('a\nb\nc\n'), ['a', 'b', 'c']],
    ['one over many chunks', chunks('a', 'b', '', 'c\nd', '\n'), ['abc', 'd']],
    ['a character over two chunks', chunks(bytes.slice(0, 7), bytes.slice(7)), ['{"a":"ü"}']],
    ['empty lines are none', chunks('\n\r\n', 'a\n \n'), ['a']],
    ['a line without an end was cut off and is none', chunks('a\nb'), ['a']],
    ['nothing', chunks(), []],
  ])('%s', async (_, stream, lines) => {
    expect(await Array.fromAsync(linesOf(stream))).toEqual(lines);
  });
});
