// A verdict as a status has it, and read back from there. Pure.
import type { CappStatus } from '../../../crds/capp/status.ts';
import type { VerdictStatus, VerificationStatus } from '../../../crds/verification/status.ts';
import { clock } from '../../../workflows/types/clock.ts';
import type { Verification } from '../../../workflows/types/verification.ts';

/** As in the state of a workflow. */
const LONGEST_SAYING = { verdict: 2_048, check: 2_048, measurement: 96 } as const;

export function verdictSaid({ key, verdict, at, checks }: Verification): VerdictStatus {
  return {
    key,
    verdict,
    at: clock(at),
    checks: checks.map(({ last, ...check }) => ({
      ...check,
      measurements: last.map((one) => ({ ...one, at: clock(one.at) })),
    })),
  };
}

/** `says` is the sentence about it, which is said elsewhere in the status. */
export function verdictRead({ key, verdict, at, checks }: VerdictStatus, says: string): Verification {
  return {
    key,
    verdict,
    says: says.slice(0, LONGEST_SAYING.verdict),
    at: Date.parse(at),
    checks: checks.map(({ measurements, ...check }) => ({
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

/** Failures that a status has: one may stand beside the checks of a move. */
export function failuresOf(status: CappStatus | undefined): readonly VerificationStatus[] {
  return [status?.failedVerification, status?.verification].filter(
    (one): one is VerificationStatus => one?.verdict === 'Failed',
  );
}
