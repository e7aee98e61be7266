// Lines of logs: cut, timed, and told once, whatever is read again.
import { boundedLines, instantOf, read, seen, timed, written } from '../../../reach/lines.ts';

async function linesOf(...chunks: string[]): Promise<string[]> {
  const found: string[] = [];
  const bytes = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  for await (const line of boundedLines(bytes)) found.push(line);
  return found;
}

test('lines are whole however their bytes come, and the last one needs no line break', async () => {
  expect(await linesOf('on', 'e\ntw', 'o\n\nfour')).toEqual(['one', 'two', '', 'four']);
});

test('a character in two chunks is one character', async () => {
  const found: string[] = [];
  const bytes = Buffer.from('ä\n');
  const chunks = (async function* () {
    yield bytes.subarray(0, 1);
    yield bytes.subarray(1);
  })();
  for await (const line of boundedLines(chunks)) found.push(line);
  expect(found).toEqual(['ä']);
});

test('a long line is cut and marked, and the next one is whole', async () => {
  const [long = '', next] = await linesOf('x'.repeat(20_000), 'x'.repeat(20_000), '\nnext\n');
  expect(long).toHaveLength(16_384 + ' …'.length);
  expect(long.endsWith(' …')).toBe(true);
  expect(next).toBe('next');
});

test.each([
  ['2026-01-02T03:04:05.000000001Z hello  you', { at: '2026-01-02T03:04:05.000000001Z', text: 'hello  you' }],
  ['2026-01-02T03:04:05Z', { at: '2026-01-02T03:04:05Z', text: '' }],
  ['2026-01-02T03:04:05Z windows\r', { at: '2026-01-02T03:04:05Z', text: 'windows' }],
  ['hello you', null],
  ['2026-99-02T03:04:05Z hello', null],
  ['2026-01-02T03:04:05(\u001b[2J)Z hello', null],
  ['2026-01-02T03:04:05.0000000001Z hello', null],
])('%j is the time and the text %j', (line, expected) => {
  expect(timed(line)).toEqual(expected);
});

test('what is written is read again, and a remark is no line', () => {
  const line = {
    site: 'site-1',
    pod: 'a-b',
    container: 'app',
    at: '2026-01-02T03:04:05Z',
    text: '# no / remark',
  };
  expect(read(written(line).trimEnd())).toEqual(line);
  expect(read(written({ ...line, text: '' }).replace('\n', ''))).toEqual({ ...line, text: '' });
  expect(read('# No direct way to site-1: x/y z')).toBeNull();
  expect(read('#')).toBeNull();
});

test.each([
  'site-1 ../app 2026-01-02T03:04:05Z text',
  'site-1 ../x/app 2026-01-02T03:04:05Z text',
  'site-1 pod/\u001b[2J 2026-01-02T03:04:05Z text',
  'site-\u202e1 pod/app 2026-01-02T03:04:05Z text',
  'site-1 pod/app 2026-01-02T03:04:05(x)Z text',
  'site-1 pod/app now text',
])('what has no names and no time of Kubernetes is no line: %j', (text) => {
  expect(read(text)).toBeNull();
});

test('times are compared by the nanosecond, in any zone', () => {
  const one = instantOf('2026-01-02T03:04:05.1Z') ?? 0n;
  expect(instantOf('2026-01-02T04:04:05.100000000+01:00')).toBe(one);
  expect(instantOf('2026-01-02T03:04:05.100000001Z')).toBe(one + 1n);
  expect(instantOf('now')).toBeNull();
});

const at = (ms: number): string => `2026-01-02T03:04:${(5 + ms / 1000).toFixed(3).padStart(6, '0')}Z`;

test('of a log that is read again only what comes after is new', () => {
  const lines = seen();
  expect([0, 10, 20].map((ms) => lines.isNew(at(ms)))).toEqual([true, true, true]);
  lines.again();
  expect([0, 10, 20, 30].map((ms) => lines.isNew(at(ms)))).toEqual([false, false, false, true]);
  expect(lines.last()).toBe(at(30));
});

test('several lines of one time are told as often as there are', () => {
  const lines = seen();
  expect([lines.isNew(at(0)), lines.isNew(at(0))]).toEqual([true, true]);
  lines.again();
  expect([0, 0, 0].map((ms) => lines.isNew(at(ms)))).toEqual([false, false, true]);
  lines.again();
  expect([0, 0, 0, 0].map((ms) => lines.isNew(at(ms)))).toEqual([false, false, false, true]);
});

test('output and errors may be written in another order than they were stamped', () => {
  const lines = seen();
  expect([10, 8, 12, 11].map((ms) => lines.isNew(at(ms)))).toEqual([true, true, true, true]);
  lines.again();
  // The one at 9 was on its way when the log broke off.
  expect([10, 8, 9, 12, 11, 13].map((ms) => lines.isNew(at(ms)))).toEqual([
    false,
    false,
    true,
    false,
    false,
    true,
  ]);
});

test('what is much older than the last line was told, although it is not remembered', () => {
  const lines = seen();
  for (const ms of [0, 5_000, 10_000]) lines.isNew(at(ms));
  lines.again();
  expect([0, 5_000, 9_500, 10_000].map((ms) => lines.isNew(at(ms)))).toEqual([false, false, true, false]);
});

test('a time far ahead is told, and silences no line after it', () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  const lines = seen(() => now);
  expect(['9999-12-31T23:59:59Z', at(0)].map((time) => lines.isNew(time))).toEqual([true, true]);
  expect(lines.last()).toBe(at(0));
  lines.again();
  expect([at(0), at(10)].map((time) => lines.isNew(time))).toEqual([false, true]);
});

test('a site cannot fill a memory with different times', () => {
  const lines = seen();
  const times = Array.from({ length: 3_000 }, (_, index) => at(0).replace('Z', `${index + 100_000}Z`));
  for (const time of times) lines.isNew(time);
  lines.again();
  expect(times.filter((time) => lines.isNew(time))).toHaveLength(2_000);
});

test('what is remembered shrinks when others come to share it', () => {
  let most = 1_000;
  const lines = seen(Date.now, () => most);
  const times = Array.from({ length: 1_001 }, (_, index) => at(0).replace('Z', `${index + 100_000}Z`));
  for (const time of times.slice(0, 1_000)) lines.isNew(time);
  most = 10;
  lines.isNew(times[1_000] ?? '');
  lines.again();
  expect(times.filter((time) => !lines.isNew(time))).toHaveLength(10);
});

test('before the first line nothing is known', () => {
  const lines = seen();
  lines.again();
  expect(lines.last()).toBeNull();
  expect(lines.isNew(at(0))).toBe(true);
  expect(lines.isNew('no time')).toBe(false);
});
