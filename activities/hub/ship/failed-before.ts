// What the status of a Capp says of checks that have failed, for a workflow that was started over: without it
// the same content would be checked once more, and a gate that was shut could open. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { VerificationStatus } from '../../../crds/verification/status.ts';
import type { Applied } from '../../../workflows/ports/applied.ts';
import type { Copy } from '../../../workflows/types/copy.ts';
import type { Verification } from '../../../workflows/types/verification.ts';
import { ordersOf } from './orders.ts';

/** As in the state of a workflow. */
const LONGEST_SAYING = { verdict: 2_048, check: 2_048, measurement: 96 } as const;

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
  const said = VerificationStatus.safeParse(status?.verification).data;
  if (said?.verdict !== 'Failed') return null;
  if (said.key !== key || said.stamp !== stamp || said.site !== site) return null;
  const condition = status?.conditions?.find(({ type }) => type === 'Verified');
  const failed = said.checks.find(({ is }) => is === 'Failed');
  const says =
    condition?.reason === 'ChecksFailed'
      ? condition.message
      : `Check ${failed?.name ?? ''} failed on ${site}: ${failed?.says ?? ''}.`;
  return {
    key,
    verdict: 'Failed',
    says: says.slice(0, LONGEST_SAYING.verdict),
    at: Date.parse(said.at),
    checks: said.checks.map(({ measurements, ...check }) => ({
      ...check,
      says: check.says.slice(0, LONGEST_SAYING.check),
      last: measurements.map((one) => ({
        at: Date.parse(one.at),
        is: one.is,
        says: one.says.slice(0, LONGEST_SAYING.measurement),
      })),
    })),
  };
}
