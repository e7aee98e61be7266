// The status of where a Capp's output goes. It never blocks a rollout.
import type { Capp } from '../../crds/capp/capp.ts';
import type { CappStatus } from '../../crds/capp/status.ts';
import type { SyslogNgObject, SyslogNgStatus } from '../../crds/kubernetes/logging.ts';
import type { CappFault } from '../objects/fault.ts';
import type { ReadyPart } from '../status/ready.ts';

/** The Capp's own objects of each kind. */
export interface SeenLogging {
  readonly flow: SyslogNgObject | null;
  readonly output: SyslogNgObject | null;
  /** Why they could not be written, or null. */
  readonly fault: CappFault | null;
}

/** Of a problem in the logging operator's words. */
const LONGEST = 200;

/** Null for a Capp that sends its output nowhere. */
export function loggingReady(capp: Capp, seen: SeenLogging): ReadyPart | null {
  if (capp.spec.logSpec?.type === undefined) return null;
  const { flow, output, fault } = seen;
  if (fault !== null) return logging('False', fault.reason, fault.message);
  const both = [output?.status, flow?.status];
  const problem = both.find((status) => hasProblems(status));
  if (problem !== undefined) return logging('False', 'LoggingInvalid', wordsOf(problem));
  if (both.some((status) => status?.active === undefined))
    return logging(
      'Unknown',
      'NotCollected',
      'The logging operator has not looked at the flow and its output yet.',
    );
  if (both.some((status) => status?.active === false))
    return logging(
      'False',
      'NotCollected',
      'The logging operator does not use the flow and its output: the site needs a Logging with syslogNG that selects this namespace.',
    );
  return logging('True', 'Collected', 'The logging operator ships the output of the Capp.');
}

function hasProblems(status: SyslogNgStatus | undefined): boolean {
  return (status?.problemsCount ?? status?.problems?.length ?? 0) > 0;
}

function wordsOf({ problems = [], problemsCount = problems.length }: SyslogNgStatus): string {
  const [first = 'it does not say which'] = problems;
  const words = first.length > LONGEST ? `${first.slice(0, LONGEST)}…` : first;
  return `The logging operator reports ${problemsCount} problem(s): ${words}. Correct spec.logSpec.`;
}

function logging(status: ReadyPart['status'], reason: ReadyPart['reason'], message: string): ReadyPart {
  return { type: 'LoggingReady', status, reason, message };
}

/**
 * As upstream: what the logging operator says of both, and one condition. Undefined before both are there.
 * `now` is RFC 3339.
 */
export function loggingStatus(capp: Capp, seen: SeenLogging, now: string): CappStatus['loggingStatus'] {
  const ready = loggingReady(capp, seen);
  if (ready === null || seen.flow === null || seen.output === null) return undefined;
  const { status } = ready;
  const before = conditionBefore(capp);
  return {
    syslogngflow: seen.flow.status ?? {},
    syslogngoutput: seen.output.status ?? {},
    conditions: [
      {
        type: 'LoggingIsReady',
        status,
        reason: REASONS[status],
        message: '',
        lastTransitionTime: before?.['status'] === status ? before['lastTransitionTime'] : now,
      },
    ],
  };
}

/** Upstream's, and one for what it calls ready before anybody has looked (W-4). */
const REASONS = { True: 'ready', False: 'LoggingResourceInvalid', Unknown: 'NotObserved' } as const;

function conditionBefore({ status }: Capp): Readonly<Record<string, unknown>> | undefined {
  const conditions: unknown = status?.loggingStatus?.['conditions'];
  return Array.isArray(conditions) ? (conditions[0] as Readonly<Record<string, unknown>>) : undefined;
}
