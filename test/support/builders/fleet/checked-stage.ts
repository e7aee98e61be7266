// A rollout whose first stage has checks, and a site behind it.
import { stagesOf } from '../../../../workflows/stages/membership.ts';
import { askFor } from '../../../../workflows/stages/proof.ts';
import type { SeenVerification } from '../../../../workflows/stages/types.ts';
import { NOW } from '../states.ts';
import { aRollout, aStrategy, aTarget, planned } from './rollouts.ts';

export const STRATEGY = {
  stages: [
    {
      name: 'first',
      sites: { matchLabels: { is: 'first' } },
      verify: [{ name: 'answers', http: { path: '/healthz' } }],
    },
  ],
};
export const LATER = aTarget('s9');
export const plan = (
  given: readonly ReturnType<typeof aTarget>[],
  more: Parameters<typeof planned>[1] = {},
) => planned([...given, LATER], { strategy: STRATEGY, ...more });

/** What was asked of a site of the first stage by this rollout. */
export function asked(rollout = aRollout()): SeenVerification {
  const [stage] = stagesOf({ targets: [], strategy: aStrategy(STRATEGY), seed: '' });
  if (stage === undefined) throw new Error('no stage');
  const { cluster: _cluster, ...ask } = askFor(aTarget('s1'), { stage, goal: rollout.revision, rollout });
  return { ...ask, until: NOW + 60_000, result: null };
}

export type Verdict = NonNullable<SeenVerification['result']>['verdict'];
export const judged = (verdict: Verdict, at = NOW - 1, of = asked()): SeenVerification => ({
  ...of,
  result: { verdict, at, says: `Check answers of s1: ${verdict}.` },
});

export const first = (changes: Parameters<typeof aTarget>[1] = {}, cluster = 's1') =>
  aTarget(cluster, { revision: 'new', since: NOW - 60_000, labels: { is: 'first' }, ...changes });
