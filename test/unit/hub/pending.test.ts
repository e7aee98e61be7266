// Choices whose works no cache shows yet count as load on their sites.
import { RCS_CONFIG_KEY } from '../../../crds/rcs-config.ts';
import { pending } from '../../../activities/hub/place/pending.ts';
import type { ClusterFacts } from '../../../workflows/placement/inputs.ts';
import { select } from '../../../workflows/placement/select.ts';
import { NOW } from '../../support/builders/states.ts';

const MEMBER: ClusterFacts = {
  isHub: false,
  accepted: true,
  deleting: false,
  reachable: true,
  tainted: false,
  mayPin: true,
  draining: false,
};
const SITES = ['a', 'b', 'c'];
const unseen = (): boolean => false;

test('W5 a burst of Capps spreads over the sites, even while no cache shows any of their works', () => {
  const waiting = pending();
  for (let index = 0; index < 30; index += 1) {
    const inputs = {
      site: '',
      config: RCS_CONFIG_KEY,
      placements: ['all'],
      placementsNamespace: 'placements',
      byPlacement: { all: { clusters: SITES, complete: true } },
      clusters: Object.fromEntries(SITES.map((site) => [site, MEMBER])),
      load: Object.fromEntries(SITES.map((site) => [site, waiting.countOn(site, unseen)])),
      scores: {},
      works: {},
      present: null,
      avoid: {},
    };
    waiting.note(`apps/app-${index}`, select(inputs, NOW).cluster ?? '', NOW);
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
