// Rollouts under random storms keep to every rule of test/support/rollouts/rules.ts, and end when the storm
// does.
import { HOLD_REASONS } from '../../../crds/rollout/stages.ts';
import { simulateRollout } from '../../support/rollouts/simulate.ts';

const SEEDS = 200;

test('in hundreds of random storms no rule is broken, sites are changed, and every hold has its turn', () => {
  const reasons = new Set<string>();
  let advances = 0;
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const outcome = simulateRollout(seed);
    expect({ seed, breach: outcome.breach }).toEqual({ seed, breach: null });
    advances += outcome.advances;
    for (const reason of outcome.reasons) reasons.add(reason);
  }
  expect(advances).toBeGreaterThan(SEEDS * 5);
  expect([...reasons].toSorted()).toEqual([...HOLD_REASONS].toSorted());
});
