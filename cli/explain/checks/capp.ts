// What is known of the checks of a Capp that are under way or have not passed, from what it says itself: what
// was asked, what was measured, and when. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { VerdictStatus, VerificationStatus } from '../../../crds/verification/status.ts';
import type { VerifyCheck } from '../../../crds/verification/check.ts';
import { keyOf, moveKeyOf, orderOf } from '../../../crds/verification/order.ts';
import { conditionIn } from '../capp/phase.ts';
import { askedIfKnown } from './asked.ts';

export interface ExplainedMeasurement {
  /** RFC 3339. */
  readonly at: string;
  readonly is: string;
  /** Such as "status 500". */
  readonly says: string;
}

export interface ExplainedCheck {
  readonly name: string;
  /** UnderWay: there is no verdict yet. */
  readonly verdict: 'Passed' | 'Failed' | 'Inconclusive' | 'Stopped' | 'UnderWay';
  /** With what is expected and the limits; empty where the Capp asks for something else by now. */
  readonly asked: string;
  /** How many measurements there were of each kind; empty while it is under way. */
  readonly says: string;
  /** The last ones that are kept, the oldest first. */
  readonly measurements: readonly ExplainedMeasurement[];
}

export interface ExplainedChecks {
  /** In one sentence: whose checks, where, and how they stand. */
  readonly words: string;
  /** RFC 3339; null while they are under way. */
  readonly at: string | null;
  readonly checks: readonly ExplainedCheck[];
}

/** So long people are told why a move was given up, in milliseconds. */
const MOVE_TOLD_MS = 24 * 3_600_000;

/**
 * None where nothing is checked, and where all has passed. `now` is in milliseconds since the epoch.
 */
export function checksOf(capp: Capp, now: number): readonly ExplainedChecks[] {
  const { verification, failedVerification, migration } = capp.status ?? {};
  const standing = conditionIn(capp, 'Verified');
  const found: (ExplainedChecks | null)[] = [
    standing?.reason === 'ChecksRunning' && !isPaused(capp) ? underWay(capp, standing.message) : null,
    isOfNow(capp, verification) ? ended(capp, verification) : null,
    ended(capp, failedVerification),
    lastMove(capp, migration?.lastMove, now),
  ];
  return found.filter((one) => one !== null);
}

/**
 * A workflow that was started over keeps a failure, which shuts a gate, before it has said Verified again.
 */
function isOfNow(capp: Capp, verification: VerificationStatus | undefined): boolean {
  const standing = conditionIn(capp, 'Verified');
  return standing === undefined
    ? verification?.generation === capp.metadata.generation
    : hasNotPassed(standing.reason);
}

/** No check is made meanwhile. */
function isPaused(capp: Capp): boolean {
  return conditionIn(capp, 'Migrating')?.reason === 'Paused';
}

/** Of a reason of Verified, or of a site that fails: checks were made, and have not passed. */
export function hasNotPassed(reason: string): boolean {
  return reason === 'ChecksFailed' || reason === 'ChecksInconclusive';
}

function underWay(capp: Capp, message: string): ExplainedChecks {
  return {
    words: message,
    at: null,
    checks: wantedOf(capp).map((check) => ({
      name: check.name,
      verdict: 'UnderWay',
      asked: askedIfKnown(check),
      says: '',
      measurements: [],
    })),
  };
}

/** Those of the move that is under way, or else those that the CappSet has ordered. */
function wantedOf(capp: Capp): readonly VerifyCheck[] {
  const ofMove = capp.spec.migration?.verify;
  if (conditionIn(capp, 'Migrating')?.status === 'True' && ofMove !== undefined) return ofMove;
  const order = orderOf(capp.metadata);
  return order !== null && order.generation === capp.metadata.generation ? order.checks : [];
}

function ended(capp: Capp, status: VerificationStatus | undefined): ExplainedChecks | null {
  if (status === undefined || status.verdict === 'Passed') return null;
  return told(capp, status, `The checks of generation ${status.generation} on ${status.site}`);
}

type LastMove = NonNullable<NonNullable<NonNullable<Capp['status']>['migration']>['lastMove']>;

/** Those of a move that was given up within the last day: the status keeps them until the next move ends. */
function lastMove(capp: Capp, move: LastMove | undefined, now: number): ExplainedChecks | null {
  const status = move?.verification;
  if (status === undefined || status.verdict === 'Passed') return null;
  if (now - Date.parse(status.at) >= MOVE_TOLD_MS) return null;
  return told(capp, status, `The checks of the move to ${move?.to ?? '?'}, which was given up,`);
}

function told(capp: Capp, { key, verdict, at, checks }: VerdictStatus, whose: string): ExplainedChecks {
  const asked = new Map(askedAs(capp, key).map((check) => [check.name, askedIfKnown(check)]));
  return {
    words: `${whose} ${verdict === 'Failed' ? 'failed' : 'came to no verdict'}.`,
    at,
    checks: checks.map(({ name, is, says, measurements }) => ({
      name,
      verdict: is,
      asked: asked.get(name) ?? '',
      says,
      measurements,
    })),
  };
}

/** The checks of which exactly this is the key. */
function askedAs({ metadata, spec }: Capp, key: string): readonly VerifyCheck[] {
  const order = orderOf(metadata);
  if (order !== null && keyOf(order) === key) return order.checks;
  const ofMove = spec.migration?.verify;
  return ofMove !== undefined && moveKeyOf(ofMove) === key ? ofMove : [];
}
