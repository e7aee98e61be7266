// In each turn of the process one call of each site goes on, so no site waits behind what another has under
// way.
import { fairShare } from '../../../gateway/bounds/fair-share.ts';

function stage() {
  const asked: (() => void)[] = [];
  const order = fairShare((work) => asked.push(work));
  const served: string[] = [];
  return {
    served,
    asked,
    take: (cluster: string): void => void order.take(cluster).then(() => served.push(cluster)),
    /** One turn of the process. */
    turn: async (): Promise<string[]> => {
      served.length = 0;
      for (const work of asked.splice(0)) work();
      await Promise.resolve();
      return [...served];
    },
  };
}

test('a site that has nothing else under way goes on at once', async () => {
  const { take, served } = stage();
  take('site-1');
  take('site-2');
  await Promise.resolve();
  expect(served).toEqual(['site-1', 'site-2']);
});

test('of a flood one call goes on in a turn, and a call of another site waits for none of them', async () => {
  const { take, turn, served } = stage();
  for (let left = 500; left > 0; left -= 1) take('loud');
  await Promise.resolve();
  expect(served).toEqual(['loud']);
  take('quiet');
  await Promise.resolve();
  expect(served).toEqual(['loud', 'quiet']);
  expect(await turn()).toEqual(['loud']);
  take('quiet');
  take('quiet');
  await Promise.resolve();
  expect(served).toEqual(['loud', 'quiet']);
  expect(await turn()).toEqual(['loud', 'quiet']);
});

test('every call has its turn, in the order in which its site sent them, and then no turn is asked for', async () => {
  const asked: (() => void)[] = [];
  const order = fairShare((work) => asked.push(work));
  const served: number[] = [];
  for (let index = 0; index < 20; index += 1) void order.take('site-1').then(() => served.push(index));
  let count = 0;
  while (asked.length > 0) {
    for (const work of asked.splice(0)) work();
    await Promise.resolve();
    count += 1;
  }
  expect(served).toEqual(Array.from({ length: 20 }, (_, index) => index));
  // One for each of the nineteen that waited, and one in which nobody does.
  expect(count).toBe(20);
});

test('sites that flood together have a call each in every turn', async () => {
  const { take, turn } = stage();
  for (let left = 3; left > 0; left -= 1) for (const cluster of ['a', 'b', 'c']) take(cluster);
  await Promise.resolve();
  expect((await turn()).toSorted()).toEqual(['a', 'b', 'c']);
  expect((await turn()).toSorted()).toEqual(['a', 'b', 'c']);
  expect(await turn()).toEqual([]);
});
