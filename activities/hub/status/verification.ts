// What the status of a Capp says of its last verification. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import { clock } from '../../../workflows/types/clock.ts';
import { servingCopy } from '../../../workflows/capp/facts/copies.ts';
import { verdictOf, verifiedCopy } from '../../../workflows/capp/facts/verification.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { ordersOf } from '../ship/orders.ts';

/**
 * Empty while no verdict is known of what is to be verified now: a former one would be read as if it were. A
 * failure stays until the workflow has had its order of the serving copy.
 */
export function verificationSaid(capp: Capp, state: State): Pick<CappStatus, 'verification'> {
  if (state.retiring) return {};
  const found = verifiedCopy(state);
  const verdict = found === null ? null : verdictOf(found.copy);
  if (found === null || verdict === null)
    return servingCopy(state)?.order === undefined ? stillFailed(capp) : {};
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

/**
 * A workflow that was started over knows of no checks before it has shipped, which a pause or a refusal may
 * put off: without the failure it would make them once more then, and a gate that was shut could open.
 */
function stillFailed(capp: Capp): Pick<CappStatus, 'verification'> {
  const verification = capp.status?.verification;
  const isAbout = verification?.generation === capp.metadata.generation;
  return isAbout && verification?.verdict === 'Failed' && verification.key === ordersOf(capp).order?.key
    ? { verification }
    : {};
}
