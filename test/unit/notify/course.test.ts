// What the notifier remembers while it runs: the newer of cache and own write, and when a Notification is
// busy.
import type { Notification } from '../../../crds/notify/notification.ts';
import { newCourse, newest, quietUntil } from '../../../notify/course.ts';

const at = (resourceVersion: string, uid = 'u'): Notification => ({
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Notification',
  metadata: { name: 'chat', uid, resourceVersion },
  spec: { format: 'Slack' },
});

test('what we wrote counts until the cache shows it, and never for another object of that name', () => {
  const course = { ...newCourse(), written: at('10') };
  expect(newest(at('9'), course).metadata.resourceVersion).toBe('10');
  expect(newest(at('10'), course)).not.toBe(course.written);
  expect(newest(at('11'), course).metadata.resourceVersion).toBe('11');
  expect(newest(at('9', 'other'), course).metadata.resourceVersion).toBe('9');
});

test('twenty messages within ten minutes make it quiet for five, and then one message at a time', () => {
  const times = { busy: 600_000, busyGather: 300_000 };
  const course = newCourse();
  for (let count = 0; count < 19; count += 1) course.queued.push(1_000_000 + count);
  expect(quietUntil(course, times, 1_000_020)).toBe(0);
  course.queued.push(1_000_100);
  expect(quietUntil(course, times, 1_000_200)).toBe(1_300_100);
  expect(quietUntil(course, times, 1_300_100)).toBe(0);
  course.queued.push(1_300_100);
  expect(quietUntil(course, times, 1_300_200)).toBe(1_600_100);
  expect(quietUntil(course, times, 1_900_200)).toBe(0);
});
