// What all answers hold together: who sends the most loses his, and nobody else does.
import { answerRoom } from '../../../kube/http/answer-room.ts';
import { AnswerTooLong, boundedText } from '../../../kube/http/bounded-text.ts';

function holders(most: number, ...servers: readonly string[]) {
  const enter = answerRoom(most);
  const dropped: string[] = [];
  const held = servers.map((server, index) => enter(server)(() => void dropped.push(`${server}/${index}`)));
  return { held, dropped };
}

test('while there is room nobody loses anything', () => {
  const { held, dropped } = holders(100, 'a', 'b');
  for (const one of held) one.take(50);
  expect(dropped).toEqual([]);
});

test('the largest answer of the server with the most is dropped, and what it held is free', () => {
  const { held, dropped } = holders(100, 'honest', 'liar', 'liar', 'liar');
  const [honest, one, two, three] = held;
  honest?.take(40);
  one?.take(25);
  two?.take(30);
  expect(dropped).toEqual([]);
  three?.take(10);
  expect(dropped).toEqual(['liar/2']);
  // Of what was dropped nothing counts any more.
  two?.take(1_000);
  two?.leave();
  three?.take(25);
  expect(dropped).toEqual(['liar/2']);
  three?.take(1);
  expect(dropped).toEqual(['liar/2', 'liar/3']);
});

test('who leaves makes room', () => {
  const { held, dropped } = holders(100, 'a', 'b');
  held[0]?.take(80);
  held[0]?.leave();
  held[0]?.leave();
  held[1]?.take(100);
  expect(dropped).toEqual([]);
});

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test('an answer of more values than it may have is too long, whatever few bytes they take', async () => {
  const bounds = { mostBytes: 1_000, mostValues: 5 };
  expect(await boundedText(chunks('[1,2,', '3,4]'), bounds)).toBe('[1,2,3,4]');
  for (const text of ['[1,2,3,4,5,6]', '[[],[],[]]', '[{},{},{}]', '{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}'])
    await expect(boundedText(chunks(text), bounds)).rejects.toBeInstanceOf(AnswerTooLong);
});

test('an answer that is dropped meanwhile is none, also when nothing comes after', async () => {
  const enter = answerRoom(10);
  const other = enter('b')(() => undefined);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('12345678');
    other.take(5);
  }
  await expect(boundedText(body(), { mostBytes: 100, enter: enter('a') })).rejects.toBeInstanceOf(
    AnswerTooLong,
  );
  // It has left: all of the room is free but for what the other holds.
  expect(await boundedText(chunks('12345'), { mostBytes: 100, enter: enter('a') })).toBe('12345');
});
