// Capps that settle together are rung one after the other, and only those that still need it.
import { settling } from '../../../../bridge/changes/settling.ts';

const names = Array.from({ length: 50 }, (_, index) => `apps/app-${index}`);

test('of many Capps whose works were reported at once, those that are Ready before their turn are not rung', async () => {
  const rung: string[] = [];
  let isReady = false;
  const queue = settling({
    isNeeded: () => !isReady,
    ring: (key) => {
      rung.push(key);
      setTimeout(() => (isReady = true), 1);
    },
  });
  for (const name of names) queue.add(name, 1);
  await queue.idle();
  expect(rung).toEqual(names.slice(0, 1));
  await queue.stop();
});

test('Capps that are Ready hold up nobody, and each that is not is rung once', async () => {
  const rung: string[] = [];
  const waits = new Set([names[10], names[49]]);
  const queue = settling({ isNeeded: (key) => waits.has(key), ring: (key) => void rung.push(key) });
  for (const name of [...names, ...names]) queue.add(name, 1);
  await queue.idle();
  expect(rung).toEqual([...waits]);
  await queue.stop();
});
