// A condition that is not as a person might expect it, with what helps.
import type { Condition } from '../../crds/capp/conditions.ts';
import type { Advice } from './reasons/advice.ts';

export interface ExplainedFinding {
  readonly condition: string;
  readonly status: Condition['status'];
  readonly reason: string;
  /** RFC 3339. */
  readonly since: string;
  /** RFC 3339: until when this is waited for at most; null where no time is known. */
  readonly until: string | null;
  readonly words: string;
  /** The hub's own sentence. */
  readonly message: string;
  readonly remedy: string;
  readonly command: string;
}

/** `command` of the advice is complete: it names the object. */
export function findingOf(
  { type, status, reason, message, lastTransitionTime }: Condition,
  { words, remedy, command }: Advice,
): ExplainedFinding {
  const until = untilIn(message);
  return {
    condition: type,
    status,
    reason,
    since: lastTransitionTime,
    until,
    words,
    message,
    remedy,
    command,
  };
}

/** The time that a message of the hub names as the end of a wait. */
export function untilIn(message: string): string | null {
  return (
    /\b(?:until|still so at|goes on at|must be Ready by|has not come by) (\d{4}-\d\d-\d\dT[\d:.]+Z)/.exec(
      message,
    )?.[1] ?? null
  );
}
