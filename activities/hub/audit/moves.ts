// The moves that somebody asked for and that a status is about to report for the first time. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { clock } from '../../../workflows/types/clock.ts';
import type { UnwrittenCondition } from '../../../workflows/capp/conditions/condition.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { shortened, type AuditedAct } from './act.ts';

/** Takes the Capp as it was before the status is written. */
export function movesOf(capp: Capp, state: State, verdicts: readonly UnwrittenCondition[]): AuditedAct[] {
  return [...ended(capp, state), ...refused(capp, state, verdicts)];
}

function ended(capp: Capp, { lastMove }: State): AuditedAct[] {
  if (lastMove?.asked === undefined) return [];
  const { asked: who, from, to, message, result, at } = lastMove;
  if (capp.status?.migration?.lastMove?.endedAt === clock(at)) return [];
  const what = { ...named(capp), from, to };
  return [{ act: 'Move', who, what, why: shortened(message), result, occasion: clock(at) }];
}

/** A request that cannot be met. The condition Migrating says so until something else is to be said. */
function refused(
  capp: Capp,
  { handled, serving }: State,
  verdicts: readonly UnwrittenCondition[],
): AuditedAct[] {
  const migrating = verdicts.find(({ type }) => type === 'Migrating');
  if (handled?.asked === undefined || migrating?.reason !== 'MoveRefused') return [];
  const { asked: who, source, id, message, reason } = handled;
  const { conditions = [], migration } = capp.status ?? {};
  const before = conditions.find(({ type }) => type === 'Migrating');
  const isSaid = before?.reason === migrating.reason && before.message === migrating.message;
  const known = { migrate: migration?.handledRequest, force: migration?.handledForce };
  const isOld = source === 'migrate' || source === 'force' ? known[source] === id : true;
  if (isSaid && isOld) return [];
  const what = { ...named(capp), ...(serving === null ? {} : { from: serving }) };
  const why = shortened(`${reason}: ${message}`);
  return [{ act: 'Move', who, what, why, result: 'Refused', occasion: `${source}/${id}` }];
}

export function named({ metadata }: Capp): AuditedAct['what'] {
  const { namespace = '', name, uid = '' } = metadata;
  return { kind: 'Capp', namespace, name, uid };
}
