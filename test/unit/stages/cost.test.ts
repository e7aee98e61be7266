// What a plan costs does not grow faster than the number of sites.
import { askFor } from '../../../workflows/stages/proof.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
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

test('the list of checks of a stage is written once, and not for each of its sites', () => {
  let times = 0;
  const toJSON = (): readonly object[] => {
    times += 1;
    return [];
  };
  const verify = Object.assign([], { toJSON }) as never;
  const stage = { name: 'all', sites: [], maxConcurrent: 1, maxFailures: 0, soakMs: 0, needsApproval: false };
  const rollout = begin(null, 'r', 0);
  for (const cluster of ['a', 'b', 'c'])
    askFor({ cluster } as never, { stage: { ...stage, verify }, goal: 'r', rollout });
  expect(times).toBe(1);
});
