// Decides which events a change of state deserves. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { clock } from '../../../workflows/types/clock.ts';
import type { UnwrittenCondition } from '../../../workflows/capp/conditions/condition.ts';
import type { MoveRecord } from '../../../workflows/types/moves.ts';
import type { Publication } from '../../../workflows/ports/hub.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Happening } from '../../../crds/kubernetes/event.ts';

/** What a user should know of a generation that was shipped nevertheless. */
export interface Warning {
  readonly reason: 'FieldIgnored' | 'ReferenceMissing';
  readonly note: string;
}

/** What only the activity itself knows. */
export interface CappTold extends Publication {
  readonly warnings?: readonly Warning[];
  /** The cluster on which a work was created. */
  readonly created?: string | null;
  /** The cluster to which the Capp was shipped just now, after it was found that it may be there. */
  readonly warranted?: string;
}

type Said = Omit<Happening, 'occasion'>;

/** The events for what changes over the status of `capp`, after the warnings of its apply. */
export function happeningsOf(
  capp: Capp,
  state: State,
  told: CappTold,
  verdicts: readonly UnwrittenCondition[],
): Happening[] {
  const occasion = String(told.at);
  const site = state.serving;
  const warned = (told.warnings ?? []).map(({ reason, note }) => ({
    ...warning(reason, note),
    occasion: `generation ${state.generation}`,
  }));
  const isNewSite = site !== null && capp.status?.applicationLinks?.site !== site;
  const created = told.created ?? null;
  const news: Said[] = [
    ...(isNewSite ? [normal('CappScheduled', `Placed on ${site}`)] : []),
    ...(created === null ? [] : [normal('ManifestWorkCreated', `Sent to ${created}`)]),
    ...moves(capp, state, verdicts),
    ...turns(capp, verdicts),
  ];
  return [...warned, ...news.map((one) => ({ ...one, occasion }))];
}

function normal(reason: string, note: string): Said {
  return { type: 'Normal', reason, note };
}

function warning(reason: string, note: string): Said {
  return { type: 'Warning', reason, note };
}

/** A move begun, ended, or held up. */
function moves(capp: Capp, { lastMove }: State, verdicts: readonly UnwrittenCondition[]): Said[] {
  const ended =
    lastMove !== null && capp.status?.migration?.lastMove?.endedAt !== clock(lastMove.at)
      ? [endOf(lastMove)]
      : [];
  const migrating = verdicts.find(({ type }) => type === 'Migrating');
  if (migrating === undefined || !changed(capp, migrating)) return ended;
  if (migrating.status === 'True') return [...ended, ...underWay(capp, migrating)];
  return HELD.has(migrating.reason)
    ? [...ended, warning('MigrationHeld', `${migrating.reason}: ${migrating.message}`)]
    : ended;
}

/** What a move under way may wait for. */
const WAITS: ReadonlySet<string> = new Set(['AwaitsHostname', 'AwaitsChecks', 'AwaitsRecord']);

/** That a move goes on after it was held up is no news. */
function underWay(capp: Capp, { reason, message }: UnwrittenCondition): Said[] {
  if (WAITS.has(reason)) return [normal('MigrationHeld', `${reason}: ${message}`)];
  const before = capp.status?.conditions?.find(({ type }) => type === 'Migrating');
  return WAITS.has(before?.reason ?? '') || before?.reason === 'Moving'
    ? []
    : [normal('MigrationStarted', message)];
}

/** Reasons against a move that somebody should read. The others are not news, or pass. */
const HELD: ReadonlySet<string> = new Set([
  'NoCandidate',
  'CoolDown',
  'AwaitsConfirmation',
  'MoveRefused',
  'Pinned',
  'Manual',
  'FleetUnhealthy',
  'Unhealed',
]);

function endOf({ from, to, result, message }: MoveRecord): Said {
  if (result === 'Moved') return normal('Migrated', `Moved from ${from} to ${to}: ${message}`);
  if (result === 'Cancelled')
    return normal('MigrationCancelled', `The move from ${from} to ${to} was cancelled`);
  return warning('MigrationFailed', `${to} did not take over, and the Capp stays on ${from}. ${message}`);
}

/**
 * The news in the conditions: no site, why it is not Ready, or that it is after all. That a rollout ends as
 * it should says the condition alone.
 */
function turns(capp: Capp, verdicts: readonly UnwrittenCondition[]): Said[] {
  const placed = verdicts.find(({ type }) => type === 'Placed');
  if (placed?.status === 'False')
    return changed(capp, placed)
      ? [warning('PlacementDecisionNotSatisfied', `${placed.reason}: ${placed.message}`)]
      : [];
  const ready = verdicts.find(({ type }) => type === 'Ready');
  if (
    ready === undefined ||
    ready.status === 'Unknown' ||
    ready.reason === 'Leaving' ||
    !changed(capp, ready)
  )
    return [];
  if (ready.status === 'False') return [warning(ready.reason, ready.message)];
  const before = capp.status?.conditions?.find(({ type }) => type === 'Ready');
  return before?.status === 'False' ? [normal('Ready', ready.message)] : [];
}

function changed(capp: Capp, verdict: UnwrittenCondition): boolean {
  const before = capp.status?.conditions?.find(({ type }) => type === verdict.type);
  return before?.status !== verdict.status || before.reason !== verdict.reason;
}
