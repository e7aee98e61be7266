// What a plan costs does not grow faster than the number of sites.
import type { Target } from '../../../workflows/stages/types.ts';
import { aTarget, planned } from '../../support/builders/fleet/rollouts.ts';

const STRATEGY = {
  stages: [
    { name: 'canary', sites: { matchLabels: { tier: 'canary' } } },
    { name: 'tenth', sites: { percent: 10 } },
    { name: 'hundred', sites: { count: 10 } },
  ],
};

/** How often the planner reads a field of a site. */
function readsOf(count: number): number {
  let reads = 0;
  const counted = (target: Target): Target =>
    new Proxy(target, {
      get(from, field) {
        reads += 1;
        return Reflect.get(from, field) as unknown;
      },
    });
  const fleet = Array.from({ length: count }, (_, index) =>
    counted(
      aTarget(`site-${index}`, {
        labels: { tier: index % 10 === 0 ? 'canary' : 'edge' },
        ...(index % 10 === 0 ? { revision: 'new' } : {}),
      }),
    ),
  );
  expect(planned(fleet, { strategy: STRATEGY }).advance.length).toBeGreaterThan(0);
  return reads;
}

test('planning 1,000 sites costs at most 12 times planning 100', () => {
  expect(readsOf(1_000) / readsOf(100)).toBeLessThan(12);
});
