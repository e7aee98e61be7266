// What a site sends beside its calls, and more of them than may be read: on a real door, counted.
import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { eventually } from '../../../testbed/eventually.ts';
import { framed } from '../../../testbed/gateway-bytes.ts';
import { bareDoor, headersOf, type BareDoor } from '../../support/testbeds/door/bare-door.ts';

const EMPTY = framed(Buffer.alloc(0));
const MEBIBYTE = 1_048_576;
const LOUD = headersOf('loud');

let door: BareDoor | undefined;
afterEach(() => door?.stop());

test.each([
  ['a second message', Buffer.concat([EMPTY, EMPTY])],
  ['a message that is too large', framed(Buffer.alloc(2 * MEBIBYTE))],
])('who goes on sending after %s loses the connection', async (_what, first) => {
  door = await bareDoor({});
  const caller = await door.caller();
  expect(await caller.call('GetSystemInfo', LOUD, EMPTY)).toBe(status.OK);
  const sent = caller.begin('GetSystemInfo', LOUD, first);
  await eventually(async () => {
    sent.more(Buffer.alloc(MEBIBYTE));
    return (await caller.call('GetSystemInfo', LOUD, EMPTY)) === null ? true : undefined;
  });
  expect(await (await door.caller()).call('GetSystemInfo', LOUD, EMPTY)).toBe(status.OK);
});

test('a site that has sent more bytes than it may is not read on, and loses the connection; its neighbour is answered', async () => {
  door = await bareDoor({}, { perSecond: 1_024, atOnce: 65_536 });
  const { ended } = door;
  const [loud, quiet] = [await door.caller(), await door.caller()];
  const large = framed(Buffer.alloc(MEBIBYTE));
  // Whoever may be read is read to the end.
  expect(await loud.call('GetSystemInfo', LOUD, large)).toBe(status.OK);
  const more = Array.from({ length: 20 }, () => loud.call('GetSystemInfo', LOUD, large));
  for (let left = 20; left > 0; left -= 1)
    expect(await quiet.call('GetSystemInfo', headersOf('quiet'), EMPTY)).toBe(status.OK);
  expect(await Promise.all(more)).toEqual(more.map(() => null));
  expect(ended.filter(({ cluster }) => cluster === 'loud')).toHaveLength(1);
});

test('what is small and becomes large counts as what it becomes', async () => {
  door = await bareDoor({}, { perSecond: 1_024, atOnce: 65_536 });
  const bomb = framed(gzipSync(Buffer.alloc(MEBIBYTE)), true);
  const headers = { ...LOUD, 'grpc-encoding': 'gzip' };
  expect(bomb.length).toBeLessThan(2_048);
  expect(await (await door.caller()).call('GetSystemInfo', headers, bomb)).toBe(status.OK);
  expect(await (await door.caller()).call('GetSystemInfo', headers, bomb)).toBeNull();
  expect(await (await door.caller()).call('GetSystemInfo', headersOf('quiet'), EMPTY)).toBe(status.OK);
});

test.each([
  ['half a message that is given up', framed(Buffer.alloc(MEBIBYTE)).subarray(0, 900_000), false],
  ['half a message, and its end', framed(Buffer.alloc(MEBIBYTE)).subarray(0, 900_000), true],
  [
    'a message and half of another',
    Buffer.concat([EMPTY, framed(Buffer.alloc(MEBIBYTE)).subarray(0, 900_000)]),
    true,
  ],
])('%s counts as what came in', async (_what, part, isEnded) => {
  door = await bareDoor({}, { perSecond: 1_024, atOnce: 65_536 });
  const first = await door.caller();
  const begun = first.begin('GetSystemInfo', LOUD, part);
  if (isEnded) {
    begun.end(Buffer.alloc(0));
    await begun.code;
    // Sent after it, on the same connection.
  } else await first.call('GetSystemInfo', LOUD, EMPTY);
  first.close();
  await begun.code;
  const next = await door.caller();
  expect(await next.call('GetSystemInfo', LOUD, EMPTY)).toBeNull();
  expect(await (await door.caller()).call('GetSystemInfo', headersOf('quiet'), EMPTY)).toBe(status.OK);
});
