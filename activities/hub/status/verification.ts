// What the status of a Capp says of its last verification. Pure.
import type { CappStatus } from '../../../crds/capp/status.ts';
import { clock } from '../../../workflows/types/clock.ts';
import { verdictOf, verifiedCopy } from '../../../workflows/capp/facts/verification.ts';
import type { State } from '../../../workflows/capp/state.ts';

/**
 * Empty while no verdict is known of what is to be verified now: a former one would be read as if it were.
 */
export function verificationSaid(state: State): Pick<CappStatus, 'verification'> {
  const found = state.retiring ? null : verifiedCopy(state);
  const verdict = found === null ? null : verdictOf(found.copy);
  if (found === null || verdict === null) return {};
  const { key, at, checks } = verdict;
  return {
    verification: {
      key,
      generation: found.copy.generation,
      site: found.cluster,
      ...(found.copy.stamp === null ? {} : { stamp: found.copy.stamp }),
      verdict: verdict.verdict,
      at: clock(at),
      checks: checks.map(({ last, ...check }) => ({
        ...check,
        measurements: last.map((one) => ({ ...one, at: clock(one.at) })),
      })),
    },
  };
}
