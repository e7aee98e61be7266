// What the status of a Capp says of its last verification. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import type { VerificationStatus } from '../../../crds/verification/status.ts';
import type { Copy } from '../../../workflows/types/copy.ts';
import type { Verification } from '../../../workflows/types/verification.ts';
import { servingCopy } from '../../../workflows/capp/facts/copies.ts';
import { standingFailure, verdictOf, verifiedCopy } from '../../../workflows/capp/facts/verification.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { ordersOf } from '../ship/orders.ts';
import { failuresOf, verdictSaid } from './verdicts.ts';

type Said = Pick<CappStatus, 'verification' | 'failedVerification'>;

/**
 * Empty while no verdict is known of what is to be verified now: a former one would be read as if it were. A
 * failure stays until the workflow has had its order of the serving copy, also while a move has its own
 * checks made.
 */
export function verificationSaid(capp: Capp, state: State): Said {
  if (state.retiring) return {};
  const found = verifiedCopy(state);
  const verdict = found === null ? null : verdictOf(found.copy);
  if (found !== null && verdict !== null)
    return { verification: saidOf(found.cluster, found.copy, verdict), ...standing(capp, state) };
  const failure = standing(capp, state).failedVerification;
  if (failure === undefined) return {};
  return found === null || found.cluster === state.serving
    ? { verification: failure }
    : { failedVerification: failure };
}

/** Of the serving copy, where something else than its checks is said. */
function standing(capp: Capp, state: State): Pick<CappStatus, 'failedVerification'> {
  const serving = servingCopy(state);
  if (serving?.order === undefined) return stillFailed(capp, state);
  const failed = standingFailure(state);
  return failed === null || state.serving === null
    ? {}
    : { failedVerification: saidOf(state.serving, serving, failed) };
}

/**
 * A workflow that was started over knows of no checks before it has shipped, which a pause or a refusal may
 * put off: without the failure it would make them once more then, and a gate that was shut could open.
 */
function stillFailed(capp: Capp, { move, serving }: State): Pick<CappStatus, 'failedVerification'> {
  const key = ordersOf(capp).order?.key;
  // Once users are on the new site, what failed where they were says nothing of it.
  const isLeft = move !== null && serving === move.to;
  const failed = failuresOf(capp.status).find(
    (one) => one.key === key && one.generation === capp.metadata.generation && !isLeft,
  );
  return failed === undefined ? {} : { failedVerification: failed };
}

function saidOf(site: string, { generation, stamp }: Copy, verdict: Verification): VerificationStatus {
  return { ...verdictSaid(verdict), generation, site, ...(stamp === null ? {} : { stamp }) };
}
