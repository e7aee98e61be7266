// How the hub has answered a request to move. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Migration } from '../../../crds/capp/status.ts';
import type { GoalEnd } from './goal.ts';
import { conditionIn } from './phase.ts';

export interface MoveAsked {
  readonly source: 'migrate' | 'force';
  readonly id: string;
  /** Null: to any other site. */
  readonly to: string | null;
  /** When the last move before it ended, or null. */
  readonly lastEndedAt: string | null;
}

/** Null while the hub has not answered, or the Capp is on its way. `capp` is null when it is gone. */
export function answerTo(asked: MoveAsked, capp: Capp | null): GoalEnd | null {
  if (capp === null) return { is: 'missed', sentence: 'The Capp is gone from the hub.' };
  const { migration = {}, applicationLinks } = capp.status ?? {};
  const handled = asked.source === 'force' ? migration.handledForce : migration.handledRequest;
  const moving = conditionIn(capp, 'Migrating');
  if (handled !== asked.id || moving?.status === 'True') return null;
  if (asked.to !== null && applicationLinks?.site === asked.to)
    return { is: 'reached', sentence: `The Capp serves on ${asked.to}.` };
  if (moving?.reason === 'MoveRefused') return { is: 'missed', sentence: moving.message };
  return outcomeOf(migration.lastMove, asked.lastEndedAt);
}

function outcomeOf(move: Migration['lastMove'], lastEndedAt: string | null): GoalEnd | null {
  if (move?.endedAt === undefined || move.endedAt === lastEndedAt) return null;
  const { to, result, message = '' } = move;
  return result === 'Moved'
    ? { is: 'reached', sentence: `The Capp moved to ${to}.` }
    : { is: 'missed', sentence: `The Capp did not get to ${to} (${result}): ${message}` };
}
