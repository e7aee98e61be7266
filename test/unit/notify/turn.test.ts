// When a turn sends, and when the next one is due.
import { newCourse } from '../../../notify/course.ts';
import { turn } from '../../../notify/turn.ts';
import { happening, world } from '../../support/builders/notifier-world.ts';

test('a failed message waits, ever longer, and is not sent before', async () => {
  const self = world();
  const course = newCourse();
  let tries = 0;
  self.receives = () => {
    tries += 1;
    return false;
  };
  const waits: number[] = [];
  for (let count = 1; count <= 12; count += 1) {
    waits.push(await turn(self.options, self.current, course));
    expect(tries).toBe(count);
    self.now += 1;
    await turn(self.options, self.current, course);
    expect(tries).toBe(count);
    self.now += waits.at(-1) ?? 0;
  }
  expect(waits[0]).toBeGreaterThanOrEqual(2_500);
  expect(waits[3]).toBeGreaterThan(waits[0] ?? 0);
  expect(Math.max(...waits)).toBeLessThanOrEqual(600_000);
  expect(waits.at(-1)).toBeGreaterThanOrEqual(300_000);
});

test('a receiver that asks for time gets it', async () => {
  const self = world();
  self.retryAfterMs = 3_000_000;
  self.receives = () => false;
  const course = newCourse();
  await turn(self.options, self.current, course);
  expect(course.notBefore).toBe(self.now + 3_000_000);
});

test('messages of one Notification are a second apart', async () => {
  const self = world();
  const course = newCourse();
  await turn(self.options, self.current, course);
  self.now += 60_000;
  self.news.push(happening('a', self.now), happening('b', self.now));
  expect(await turn(self.options, self.current, course)).toBe(1_000);
  await turn(self.options, self.current, course);
  expect(self.arrived.size).toBe(2);
  self.now += 1_000;
  await turn(self.options, self.current, course);
  expect(self.arrived.size).toBe(3);
});

test('at rest a turn reads the Secret every ten minutes and writes nothing', async () => {
  const self = world();
  const course = newCourse();
  await turn(self.options, self.current, course);
  const { writes } = self;
  const reads = self.reads;
  expect(await turn(self.options, self.current, course)).toBe(600_000);
  expect([self.writes, self.reads]).toEqual([writes, reads]);
  self.now += 600_000;
  await turn(self.options, self.current, course);
  expect([self.writes, self.reads]).toEqual([writes, reads + 1]);
});

test('what happens is told with the time at which it happened, and the next due one is waited for', async () => {
  const self = world();
  const course = newCourse();
  await turn(self.options, self.current, course);
  self.now += 60_000;
  self.news.push({ ...happening('later', self.now), dueAt: self.now + 42_000 });
  expect(await turn(self.options, self.current, course)).toBe(42_000);
});

test('what came of a try is written down though somebody has edited the Notification meanwhile', async () => {
  const self = world();
  const course = newCourse();
  self.receives = () => {
    const { metadata } = self.current;
    const resourceVersion = String(Number(metadata.resourceVersion) + 1);
    self.current = { ...self.current, metadata: { ...metadata, generation: 2, resourceVersion } };
    return true;
  };
  await turn(self.options, self.current, course);
  expect(self.current.status).toMatchObject({ waiting: 0, conditions: [{}, { reason: 'Accepted' }] });
});
