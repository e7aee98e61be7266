// The notifier killed at any point, with a cache that is behind and a receiver that fails: in the end each
// happening has arrived, a message that came twice came with one id and one body, and nothing is written any
// more.
import { isConflict } from '../../../kube/failure.ts';
import { newCourse } from '../../../notify/course.ts';
import { turn } from '../../../notify/turn.ts';
import { happening, Killed, world } from '../../support/builders/notifier-world.ts';
import { random } from '../../support/builders/random.ts';

test.each(Array.from({ length: 60 }, (_, seed) => seed))('life %i', async (seed) => {
  const { chance, below } = dice(seed);
  const self = world();
  let course = newCourse();
  let kills = 0;
  self.isFatal = () => {
    if (!chance(0.15)) return null;
    kills += 1;
    return chance(0.5) ? 'before' : 'after';
  };
  self.receives = () => chance(0.6);
  const live = async (isBehind: boolean): Promise<void> => {
    try {
      await turn(self.options, isBehind ? self.former : self.current, course);
    } catch (error) {
      if (error instanceof Killed) course = newCourse();
      else if (!isConflict(error)) throw error;
    }
  };
  for (let step = 0; step < 60; step += 1) {
    for (let count = chance(0.1) ? 15 : below(2); count > 0; count -= 1)
      self.news.push(happening(`app-${self.news.length}`, self.now));
    await live(chance(0.2));
    self.now += below(120_000);
  }
  self.isFatal = () => null;
  self.receives = () => true;
  for (let step = 0; step < 60; step += 1) {
    await live(false);
    self.now += 60_000;
  }
  const { writes } = self;
  for (let step = 0; step < 5; step += 1) {
    await live(false);
    self.now += 60_000;
  }
  expect(self.writes).toBe(writes);
  expect(self.current.status?.waiting).toBe(0);
  const bodies = [...self.arrived.values()];
  for (const same of bodies) expect(new Set(same).size).toBe(1);
  const texts = bodies.map(([body = '']) => body);
  const times = self.news.map(({ text }) => texts.filter((body) => body.includes(text)).length);
  expect(Math.max(...times)).toBe(1);
  // What a message of many does not name, it counts.
  const counted = texts.reduce((sum, body) => sum + Number(/and (\d+) more/.exec(body)?.[1] ?? 0), 0);
  expect(times.filter((one) => one === 0)).toHaveLength(counted);
  const repeats = bodies.reduce((sum, same) => sum + same.length - 1, 0);
  expect(repeats).toBeLessThanOrEqual(kills);
});

function dice(seed: number): { chance: (of: number) => boolean; below: (most: number) => number } {
  const { next, chance } = random(seed);
  return { chance, below: (most) => Math.floor(next() * most) };
}
