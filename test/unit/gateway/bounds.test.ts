// What one site uses up is its own: calls a second, and calls that are open.
import { allowance } from '../../../gateway/bounds/allowance.ts';
import { seldom } from '../../../gateway/seldom.ts';
import { openCalls } from '../../../gateway/bounds/open-calls.ts';

test('a site may do as much at once as its bucket holds, and then as much as flows in; another site has its own', () => {
  let now = 0;
  const calls = allowance('calls', { perSecond: 10, atOnce: 20 }, () => now);
  const taken = (cluster: string): number => {
    let count = 0;
    try {
      for (;;) {
        calls.take(cluster);
        count += 1;
      }
    } catch {
      return count;
    }
  };
  expect(taken('site-1')).toBe(20);
  expect(taken('site-2')).toBe(20);
  expect(taken('site-1')).toBe(0);
  now += 500;
  expect(taken('site-1')).toBe(5);
  now += 3_600_000;
  expect(taken('site-1')).toBe(20);
  expect(() => calls.take('site-1')).toThrow('This site sends more than 10 calls a second');
});

test('a refusal is told once a minute for each site and call, and a flood of different ones fills no log', () => {
  let now = 0;
  const tell = seldom(60_000, () => now);
  expect([tell('a'), tell('a'), tell('b')]).toEqual([true, false, true]);
  now += 60_000;
  expect(tell('a')).toBe(true);
  const told = Array.from({ length: 5_000 }, (_, index) => tell(`x${index}`)).filter((one) => one);
  expect(told.length).toBeLessThanOrEqual(1_000);
});

const call = (cluster: string, kind = 'poll') => ({
  cluster,
  kind,
  most: 2,
  signal: new AbortController().signal,
});

function open() {
  const calls = openCalls();
  const begin = (cluster: string, kind?: string) => {
    const state = { isAborted: false };
    const done = calls.during(
      call(cluster, kind),
      (signal) =>
        new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            state.isAborted = true;
            resolve();
          }),
        ),
    );
    return { state, done };
  };
  return { calls, begin };
}

test('more calls of one kind than a site may have open are refused, and those of other kinds and sites are not', async () => {
  const { calls, begin } = open();
  const held = [begin('site-1'), begin('site-1'), begin('site-1', 'call'), begin('site-2')];
  await expect(begin('site-1').done).rejects.toThrow(/2 calls of this kind open/);
  calls.end('site-1');
  await Promise.all(held.slice(0, 3).map(({ done }) => done));
  expect(held.map(({ state }) => state.isAborted)).toEqual([true, true, true, false]);
  const again = [begin('site-1'), begin('site-1')];
  calls.end('site-1');
  calls.end('site-2');
  await Promise.all([...again, ...held.slice(3)].map(({ done }) => done));
});

test('a call that has failed makes room for the next one', async () => {
  const { calls } = open();
  for (let tries = 0; tries < 5; tries += 1)
    await expect(calls.during(call('site-1'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
