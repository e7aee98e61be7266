// What the status of a Capp says of checks that have failed, for a workflow that was started over: without it
// the same content would be checked once more, and a gate that was shut could open. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { VerificationStatus } from '../../../crds/verification/status.ts';
import type { Applied } from '../../../workflows/ports/applied.ts';
import type { Copy } from '../../../workflows/types/copy.ts';
import type { Verification } from '../../../workflows/types/verification.ts';
import { failuresOf, verdictRead } from '../status/verdicts.ts';
import { ordersOf } from './orders.ts';

export interface VerifiedAs {
  readonly key: string;
  readonly stamp: string;
  readonly site: string;
}

/**
 * A workflow that has had this order of this content there knows more than the status, whatever became of it.
 */
export function failureFor(
  capp: Capp,
  known: Pick<Copy, 'order' | 'stamp'> | undefined,
  where: Omit<VerifiedAs, 'key'>,
): Pick<Extract<Applied, { outcome: 'Applied' }>, 'failed'> {
  const { order } = ordersOf(capp);
  if (order === undefined || (known?.order?.key === order.key && known.stamp === where.stamp)) return {};
  const failed = failedBefore(capp, { key: order.key, ...where });
  return failed === null ? {} : { failed };
}

/**
 * Null unless the checks of exactly this order have failed on exactly this content there. A status that says
 * that they passed is no ground to believe it: they are made once more.
 */
export function failedBefore({ status }: Capp, { key, stamp, site }: VerifiedAs): Verification | null {
  const said = failuresOf(status)
    .map((one) => VerificationStatus.safeParse(one).data)
    .find((one) => one?.key === key && one.stamp === stamp && one.site === site);
  if (said === undefined) return null;
  const condition = status?.conditions?.find(({ type }) => type === 'Verified');
  const failed = said.checks.find(({ is }) => is === 'Failed');
  const isAbout = condition?.reason === 'ChecksFailed' && status?.failedVerification === undefined;
  const says = isAbout
    ? condition.message
    : `Check ${failed?.name ?? ''} failed on ${site}: ${failed?.says ?? ''}.`;
  return verdictRead(said, says);
}
