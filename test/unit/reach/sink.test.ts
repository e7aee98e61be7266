// Where lines go: everybody who waits for room goes on when there is room, and nothing is written after the
// end.
import { EventEmitter } from 'node:events';
import { sinkOf } from '../../../reach/answer/sink.ts';
import { eventually } from '../../../testbed/eventually.ts';

/** A response that has room for one text at a time. */
function aResponse() {
  const events = new EventEmitter();
  const texts: string[] = [];
  return {
    texts,
    write: (text: string): boolean => {
      texts.push(text);
      return false;
    },
    on: (event: 'drain', listener: () => void): unknown => events.on(event, listener),
    drain: () => events.emit('drain'),
  };
}

test('of many who wait for room, none is forgotten', async () => {
  const response = aResponse();
  const sink = sinkOf(response, { ending: new AbortController(), isFollowed: true });
  const names = Array.from({ length: 20 }, (_, index) => `${index}`);
  const writing = names.map(async (name) => {
    for (const turn of ['a', 'b', 'c']) await sink.write(`${name}${turn}`);
  });
  let isOver = false;
  void Promise.all(writing).then(() => void (isOver = true));
  await eventually(async () => {
    response.drain();
    return isOver ? true : undefined;
  });
  const wanted = names.flatMap((name) => ['a', 'b', 'c'].map((turn) => `${name}${turn}`));
  expect(response.texts.toSorted()).toEqual(wanted.toSorted());
});

test('while there is no room, one text is on its way and the others wait', async () => {
  const response = aResponse();
  const sink = sinkOf(response, { ending: new AbortController(), isFollowed: true });
  await sink.write('one');
  void sink.write('two');
  void sink.write('three');
  response.drain();
  await eventually(() => (response.texts.length > 1 ? true : undefined));
  expect(response.texts).toEqual(['one', 'two']);
});

test('what has waited is dropped when its site may be told no more, or the stream is over', async () => {
  const response = aResponse();
  const ending = new AbortController();
  const sink = sinkOf(response, { ending, isFollowed: true });
  await sink.write('one');
  const site = new AbortController();
  const [two, three] = [sink.write('two', site.signal), sink.write('three')];
  site.abort();
  response.drain();
  await Promise.all([two, three]);
  expect(response.texts).toEqual(['one', 'three']);
  const four = sink.write('four');
  ending.abort();
  await four;
  expect(response.texts).toEqual(['one', 'three']);
});

test.each([
  [true, 0],
  [false, 1],
])('too much ends the stream; who does not follow is told (followed: %s)', async (isFollowed, remarks) => {
  const response = { ...aResponse(), write: (text: string) => texts.push(text.slice(0, 9)) > 0 };
  const texts: string[] = [];
  const ending = new AbortController();
  const sink = sinkOf(response, { ending, isFollowed });
  await sink.write('x'.repeat(64 * 1024 * 1024));
  expect(ending.signal.aborted).toBe(false);
  await sink.write('y');
  expect(ending.signal.aborted).toBe(true);
  expect(texts.filter((text) => text.startsWith('# Only'))).toHaveLength(remarks);
});
