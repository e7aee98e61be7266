// What the simulator's own machinery promises: how far it has come, and what "idle" means in it.
import { idle, whenIdle } from '../../support/simulator/engine/settled.ts';
import { reached } from '../../support/simulator/reached.ts';

test.each<readonly [string, readonly number[], number]>([
  ['nothing', [], 100],
  ['what one process lives in order', [100, 101, 102], 103],
  ['what a slow process has not lived yet', [101, 103, 105, 100], 102],
  ['what all have lived', [101, 103, 100, 102], 104],
])('one goes on after %s', (_, lived, next) => {
  const so = reached(100);
  for (const seed of lived) so.add(seed);
  expect([so.next, so.count]).toEqual([next, lived.length]);
});

test('all promises have moved when it is idle, and the first to wait is the first to go on', async () => {
  const order: string[] = [];
  const walk = async (name: string): Promise<void> => {
    for (let step = 0; step < 50; step += 1) await Promise.resolve();
    order.push(name);
  };
  for (let round = 0; round < 40; round += 1) {
    order.length = 0;
    void walk('a promise of before');
    whenIdle(() => {
      order.push('work');
      void walk('a promise of that work');
      whenIdle(() => void order.push('work of that work'));
    });
    await idle();
    order.push('idle');
    await idle();
    await idle();
    expect(order).toEqual([
      'a promise of before',
      'work',
      'a promise of that work',
      'idle',
      'work of that work',
    ]);
  }
});
