// How much of one site is read: what is beyond its bounds waits, and other sites do not.
import { jest } from '@jest/globals';
import { reading } from '../../../gateway/bounds/reading.ts';

const stays = new AbortController().signal;
const KIB = 1_024;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function stage(together = 2) {
  const read = reading({ perSecond: KIB, atOnce: 4 * KIB }, together);
  const seen: [string, boolean][] = [];
  const begin = (cluster: string, gone = stays): void =>
    void read.begin(cluster, gone).then((may) => seen.push([cluster, may]));
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  return { ...read, begin, seen, pass };
}

test('a few calls of a site are read at one time, the next when one of them has been, and another site waits for none', async () => {
  const { begin, end, seen, pass } = stage();
  for (let left = 3; left > 0; left -= 1) begin('loud');
  begin('quiet');
  await pass(0);
  expect(seen).toEqual([
    ['loud', true],
    ['loud', true],
    ['quiet', true],
  ]);
  end('loud', 1);
  await pass(0);
  expect(seen).toHaveLength(4);
});

test('a site that has sent more than its bytes is read again when they have come back, no sooner', async () => {
  const { begin, end, seen, pass } = stage();
  begin('loud');
  await pass(0);
  end('loud', 6 * KIB);
  begin('loud');
  begin('quiet');
  await pass(1_990);
  expect(seen).toEqual([
    ['loud', true],
    ['quiet', true],
  ]);
  await pass(20);
  expect(seen.at(-1)).toEqual(['loud', true]);
});

test('who waits for longer than four seconds, or has gone, is not read, and takes nobody’s place', async () => {
  const { begin, end, seen, pass } = stage(1);
  const gone = new AbortController();
  begin('loud');
  begin('loud', gone.signal);
  begin('loud');
  await pass(0);
  gone.abort();
  await pass(4_000);
  expect(seen).toEqual([
    ['loud', true],
    ['loud', false],
    ['loud', false],
  ]);
  begin('loud');
  end('loud', 1);
  await pass(0);
  expect(seen.at(-1)).toEqual(['loud', true]);
});

test('a site has no more at once after a rest, however long it was', async () => {
  const { begin, end, seen, pass } = stage();
  await pass(3_600_000);
  begin('loud');
  await pass(0);
  end('loud', 5 * KIB);
  begin('loud');
  await pass(900);
  expect(seen).toHaveLength(1);
  await pass(200);
  expect(seen).toHaveLength(2);
});
