// Choices whose works no cache shows yet count as load on their sites.
import { pending } from '../../../../activities/hub/place/pending.ts';
import { select } from '../../../../workflows/placement/select.ts';
import { aField } from '../../../support/builders/placement.ts';
import { NOW } from '../../../support/builders/states.ts';

const SITES = ['a', 'b', 'c'];
const unseen = (): boolean => false;

test('W5 a burst of Capps spreads over the sites, even while no cache shows any of their works', () => {
  const waiting = pending();
  for (let index = 0; index < 30; index += 1) {
    const load = Object.fromEntries(SITES.map((site) => [site, waiting.countOn(site, unseen)]));
    waiting.note(`apps/app-${index}`, select(aField({ load }), NOW).cluster ?? '', NOW);
  }
  expect(SITES.map((site) => waiting.countOn(site, unseen))).toEqual([10, 10, 10]);
});

test('a choice counts as load until its work is visible, on its newest site only, and for less than an hour', () => {
  const waiting = pending();
  waiting.note('apps/one', 'a', NOW);
  waiting.note('apps/two', 'a', NOW);
  expect(waiting.countOn('a', (capp) => capp === 'apps/one')).toBe(1);
  waiting.note('apps/two', 'b', NOW);
  expect([waiting.countOn('a', unseen), waiting.countOn('b', unseen)]).toEqual([0, 1]);
  waiting.note('apps/three', 'c', NOW + 3_600_000);
  expect(waiting.countOn('b', unseen)).toBe(0);
});
