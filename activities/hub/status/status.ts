// Builds a Capp's status in two parts, the hub's and the mirror of the site's, of which neither erases the
// other. A field that a part leaves out is removed.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { DecisionRecord } from '../../../crds/capp/decision.ts';
import type { CappStatus, Migration } from '../../../crds/capp/status.ts';
import { CONDITION_TYPES, type Condition } from '../../../crds/capp/conditions.ts';
import { conditionSince } from '../../../crds/condition.ts';
import { allowedMirror } from '../../../crds/capp/mirror.ts';
import { clock } from '../../../workflows/types/clock.ts';
import type { UnwrittenCondition } from '../../../workflows/capp/conditions/condition.ts';
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import { servingCopy } from '../../../workflows/capp/facts/copies.ts';
import { turnedIllAt } from '../../../workflows/capp/facts/health.ts';
import { verdictSaid } from './verdicts.ts';
import { verificationSaid } from './verification.ts';
import type { MoveRecord } from '../../../workflows/types/moves.ts';
import type { Publication } from '../../../workflows/ports/hub.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { HUB_TIMES } from '../times.ts';
import type { StatusParts } from './one-write.ts';

const KEPT_DECISIONS = 10;

export interface CappSaying {
  readonly state: State;
  readonly verdicts: readonly UnwrittenCondition[];
  readonly record: DecisionRecord | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What is to be written of a state, by the Capp as it was read. */
export function partsOf(capp: Capp, state: State, { record, mirror, at }: Publication): StatusParts {
  const finding = servingCopy(state)?.finding ?? null;
  const verdicts = conditionsOf(state, at);
  return {
    hub: hubPart(capp, { state, verdicts, record, at }),
    mirror: mirror === null || finding === null ? null : mirrorPart(mirror, finding.statusHash, state),
  };
}

/** The hub's part: where the Capp is, why, and its conditions. Null if it is unchanged. */
export function hubPart(capp: Capp, { state, verdicts, record, at }: CappSaying): CappStatus | null {
  const live = capp.status ?? {};
  const { serving: site, generation } = state;
  const migration = {
    ...(isNewborn(state) ? remembered(live) : migrationOf(state)),
    ...timed('decidedAt', state),
  };
  const decisions = record === null ? (live.decisions ?? []) : withRecord(live.decisions ?? [], record);
  const conditions = verdicts.map((verdict) => conditionSince(live.conditions, verdict, clock(at)));
  const links = site === null ? {} : { applicationLinks: { site } };
  const kept = decisions.length === 0 ? {} : { decisions: [...decisions] };
  const status = {
    observedGeneration: generation,
    conditions,
    ...links,
    // Argo CD's generator stops working at a Capp whose status lacks the list.
    sites: sitesOf(state),
    ...kept,
    ...(Object.keys(migration).length === 0 ? {} : { migration }),
    ...verificationSaid(capp, state),
  };
  return isDeepStrictEqual(essence(live), essence(status)) ? null : status;
}

/** Changes only where the serving site does, and where a move begins or ends, which are told anyway. */
function sitesOf({ serving, move, copies }: State): NonNullable<CappStatus['sites']> {
  const here = serving === null ? [] : [{ clusterName: serving, role: 'Serving' } as const];
  if (move === null) return here;
  if (move.to !== serving) return [...here, { clusterName: move.to, role: 'Coming' }];
  return copies[move.from] === undefined ? here : [...here, { clusterName: move.from, role: 'Leaving' }];
}

/** The hub's part without the times that no reader waits for. */
function essence(status: CappStatus): unknown {
  const { observedGeneration, conditions, applicationLinks, decisions, sites } = status;
  return [
    observedGeneration,
    bySaying(ours(conditions)),
    applicationLinks?.site,
    // The API server may keep them in another order.
    sites?.toSorted((a, b) => (a.clusterName < b.clusterName ? -1 : 1)),
    decisions ?? [],
    status.verification ?? null,
    status.failedVerification ?? null,
    remembered(status),
  ];
}

/** A workflow that has not chosen yet knows less than the status shows. */
export function isNewborn({ placedFor, serving }: State): boolean {
  return placedFor === null && serving === null;
}

function remembered({ migration = {} }: CappStatus): Migration {
  const { statusHash: _mirrors, decidedAt: _told, mirroredAt: _mirrored, ...rest } = migration;
  return rest;
}

/** Whether the status is newer than this state: a late try must not undo it. */
export function isOvertaken(capp: Capp, { statusDecidedAt }: State): boolean {
  return (
    statusDecidedAt > 0 &&
    timesOf(capp).some((time) => time > statusDecidedAt && time <= Date.now() + HUB_TIMES.clockSkew.ms)
  );
}

/** Whether another of our tries has published between two reads, and it is not known which is newer. */
export function isContested(before: Capp, after: Capp, { statusDecidedAt }: State): boolean {
  const isNewer = statusDecidedAt > 0 && timesOf(after).every((time) => time < statusDecidedAt);
  return !isNewer && !isDeepStrictEqual(wordOf(before), wordOf(after));
}

/** The same for a Capp from a cache, which keeps no decisions. */
export function isContestedSince(cached: Capp, after: Capp, state: State): boolean {
  const { decisions: _decisions, ...status } = after.status ?? {};
  return isContested(cached, { ...after, status }, state);
}

function timesOf({ status }: Capp): number[] {
  const { decidedAt, mirroredAt } = status?.migration ?? {};
  return [decidedAt, mirroredAt].filter((time) => time !== undefined).map((time) => Date.parse(time));
}

function wordOf({ status = {} }: Capp): unknown {
  return [essence(status), status.migration?.statusHash];
}

function timed(name: 'decidedAt' | 'mirroredAt', { statusDecidedAt }: State): Migration {
  return statusDecidedAt > 0 ? { [name]: new Date(statusDecidedAt).toISOString() } : {};
}

/** What a workflow that is started over needs: the hub's part of `status.migration`. */
function migrationOf(state: State): Migration {
  const { serving, placedFor, pin, annotated, lastMove, healing } = state;
  const turnedAt = turnedIllAt(state);
  return {
    ...(turnedAt === null ? {} : { unhealthySince: clock(turnedAt) }),
    ...(healing === undefined ? {} : { healing: { ...healing, said: { ...healing.said } } }),
    ...(serving === null ? {} : { serving }),
    ...(placedFor === null ? {} : { placedFor }),
    ...(pin === null ? {} : { pin }),
    ...(annotated.migrate === null ? {} : { handledRequest: annotated.migrate }),
    ...(annotated.force === null ? {} : { handledForce: annotated.force }),
    ...(lastMove === null ? {} : { lastMove: moveOf(lastMove) }),
  };
}

function moveOf({
  from,
  to,
  reason,
  result,
  message,
  since,
  at,
  asked,
  verification,
}: MoveRecord): NonNullable<Migration['lastMove']> {
  const times = { startedAt: clock(since), endedAt: clock(at) };
  const checks = verification === undefined ? {} : { verification: verdictSaid(verification) };
  const by = asked === undefined ? {} : { asked };
  return { from, to, reason, result, message, ...times, ...by, ...checks };
}

/** A record counts once, however often it is published. One that equals the newest replaces nothing. */
function withRecord(
  before: NonNullable<CappStatus['decisions']>,
  record: DecisionRecord,
): NonNullable<CappStatus['decisions']> {
  const [newest] = before;
  const { at: _at, ...said } = record;
  if (newest !== undefined && isDeepStrictEqual({ ...newest, at: null }, { ...said, at: null }))
    return before;
  const copy = {
    ...record,
    candidates: [...record.candidates],
    excluded: record.excluded.map((one) => ({ ...one, examples: [...one.examples] })),
  };
  return [copy, ...before].slice(0, KEPT_DECISIONS);
}

/** Those that the hub says, without the site's details (`SITE_DETAILS`). */
function ours(conditions: readonly Condition[] = []): readonly Condition[] {
  const types: readonly string[] = CONDITION_TYPES;
  return conditions.filter(({ type }) => types.includes(type));
}

function bySaying(conditions: readonly Condition[]): unknown {
  return Object.fromEntries(
    conditions.map(({ type, status, reason, message, observedGeneration }) => [
      type,
      { status, reason, message, observedGeneration },
    ]),
  );
}

/**
 * The part of the status that mirrors the site's, as its agent sent it, with the hash that tells whether it
 * has changed.
 */
export function mirrorPart(mirror: unknown, statusHash: string, state: State): CappStatus {
  return { ...allowedMirror(mirror), migration: { statusHash, ...timed('mirroredAt', state) } };
}
