// What a person must know of a Capp: it has moved or could not, is stuck, or waits for a word. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import type { Condition, ConditionType } from '../../crds/capp/conditions.ts';
import { CAPP_SET } from '../../crds/set/cappset.ts';
import { NOTIFIER_TIMES } from '../times.ts';
import { newsOf, type NewsHappening, type News } from './news.ts';

/** None of a Capp of a CappSet, of which its set tells. */
export function newsOfCapp(capp: Capp): readonly News[] {
  const { metadata } = capp;
  const isOfSet = metadata.ownerReferences?.some(
    ({ kind, controller }) => kind === CAPP_SET.kind && controller === true,
  );
  if (isOfSet === true) return [];
  const happenings = [moved(capp), awaits(capp), stuck(capp)].filter((one) => one !== null);
  return happenings.map((one) => newsOf('Capp', capp, one));
}

function named({ metadata: { namespace, name } }: Capp): string {
  return `Capp ${namespace}/${name}`;
}

function conditionOf({ status }: Capp, type: ConditionType): Condition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

function moved(capp: Capp): NewsHappening | null {
  const {
    from = '?',
    to = '?',
    message = '',
    endedAt,
    result,
    reason = '',
  } = capp.status?.migration?.lastMove ?? {};
  if (endedAt === undefined || result === undefined || result === 'Cancelled') return null;
  const how = result === 'Moved' ? `has moved from ${from} to ${to}` : `could not move from ${from} to ${to}`;
  return {
    topic: 'AppMoved',
    reason: reason === '' ? result : reason,
    occasion: `${endedAt}/${result}`,
    text: `${named(capp)} ${how}: ${message}`,
    at: endedAt,
    isPast: true,
  };
}

/** Only a person can know whether the old copy is stopped. */
function awaits(capp: Capp): NewsHappening | null {
  const migrating = conditionOf(capp, 'Migrating');
  if (migrating?.reason !== 'AwaitsConfirmation') return null;
  return {
    topic: 'ApprovalAwaited',
    reason: migrating.reason,
    occasion: migrating.lastTransitionTime,
    text: `${named(capp)} waits for a person to move. ${migrating.message}`,
    at: migrating.lastTransitionTime,
  };
}

/** What comes and goes by itself, or was asked for. */
const NO_STUCK: ReadonlySet<string> = new Set([
  'StillLeaving',
  'HubUnavailable',
  'Paused',
  'SiteUnreachable',
]);

/** Reasons of Ready for which a deletion waits for a person. */
const UNDELETED: ReadonlySet<string> = new Set(['SiteUnreachable', 'AbandonRefused']);

function stuck(capp: Capp): NewsHappening | null {
  if (capp.metadata.deletionTimestamp !== undefined) {
    const ready = conditionOf(capp, 'Ready');
    return ready !== undefined && UNDELETED.has(ready.reason)
      ? stuckBy(capp, ready, NOTIFIER_TIMES.unplaced.ms)
      : null;
  }
  const stalled = conditionOf(capp, 'Stalled');
  if (stalled?.status === 'True') return stuckBy(capp, stalled, 0);
  const lacking = (['Placed', 'Applied'] as const)
    .map((type) => conditionOf(capp, type))
    .find((one) => one?.status === 'False' && !NO_STUCK.has(one.reason));
  return lacking === undefined ? null : stuckBy(capp, lacking, NOTIFIER_TIMES.unplaced.ms);
}

function stuckBy(
  capp: Capp,
  { type, reason, message, lastTransitionTime }: Condition,
  graceMs: number,
): NewsHappening {
  return {
    topic: 'AppStuck',
    reason,
    occasion: `${type}/${lastTransitionTime}`,
    text: `${named(capp)} is stuck (${reason}): ${message}`,
    at: lastTransitionTime,
    graceMs,
  };
}
