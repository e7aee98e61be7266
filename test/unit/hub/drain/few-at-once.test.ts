// A limit on how many tasks run at once; tasks start in order, and failed tasks free their place too.
import { fewAtOnce } from '../../../../activities/hub/drain/few-at-once.ts';

test('tasks beyond the limit wait in order, and a task that fails frees its place', async () => {
  const turn = fewAtOnce(2);
  const log: string[] = [];
  let most = 0;
  let running = 0;
  const ends: (() => void)[] = [];
  const piece = (name: string, fails = false) =>
    turn(async () => {
      log.push(name);
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      if (fails) throw new Error(name);
      return name;
    });
  const all = [piece('a', true), piece('b'), piece('c'), piece('d', true), piece('e')];
  const settled = Promise.allSettled(all);
  const flush = () => new Promise((resolve) => setImmediate(resolve));
  await flush();
  expect(log).toEqual(['a', 'b']);
  while (ends.length > 0) {
    ends.shift()?.();
    await flush();
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(log).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(most).toBe(2);
  expect(await turn(() => Promise.resolve('free again'))).toBe('free again');
});
