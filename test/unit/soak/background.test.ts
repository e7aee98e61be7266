// What a storm does in the background while it goes on.
import { inBackground } from '../../soak/storm/world.ts';

const soon = (): Promise<unknown> => new Promise((done) => void setTimeout(done, 0));

test('an action that has failed by the time the storm ends is told then, and one that has succeeded is not', async () => {
  const pending = new Set<Promise<void>>();
  inBackground({ pending }, Promise.resolve());
  inBackground({ pending }, Promise.reject(new Error('The upgrade failed.')));
  await soon();
  const ended = await Promise.allSettled(pending);
  expect(ended.map((one) => (one.status === 'rejected' ? String(one.reason) : null))).toEqual([
    'Error: The upgrade failed.',
  ]);
});
