// The status of a Drain object as a report changes it, and the events that this deserves. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { Condition } from '../../../crds/capp/conditions.ts';
import { conditionSince } from '../../../crds/condition.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import {
  LONGEST_MESSAGE,
  type DrainConditionType,
  type DrainPhase,
  type DrainReason,
  type DrainStatus,
} from '../../../crds/drain/status.ts';
import { REQUESTED_BY } from '../../../crds/labels.ts';
import type { DrainAccount, DrainReport } from '../../../workflows/drain/object.ts';
import type { Happening } from '../../../crds/kubernetes/event.ts';

/**
 * Null if the report changes nothing, or is older than what is there: a try may come late, and beside the
 * workflow that followed.
 */
export function revisedStatus(drain: Drain, report: DrainReport): DrainStatus | null {
  const { reportedAt, rehearsal: _drills, ...known } = withoutSecondTime(drain.status ?? {});
  const isOlder = (report.generation ?? Infinity) < (known.observedGeneration ?? 0);
  if (isOlder || isBefore(report, reportedAt) || (isComplete(known) && !isNewFor(known, report))) return null;
  const next = told(drain, known, report);
  return isDeepStrictEqual(next, known) ? null : { ...next, reportedAt: timeOf(report.at) };
}

/** Earlier builds kept a time of their own for what was heeded. */
function withoutSecondTime(status: DrainStatus & { readonly heededAt?: string }): DrainStatus {
  const { heededAt: _earlier, ...rest } = status;
  return rest;
}

/** What comes after the end has been under way too long, unless it is about another generation. */
function isNewFor({ observedGeneration = 0 }: DrainStatus, { generation, phase }: DrainReport): boolean {
  return isEnd(phase) || phase === 'Planned' || (generation ?? 0) > observedGeneration;
}

function isEnd(phase: DrainPhase | null | undefined): boolean {
  return phase === 'Done' || phase === 'Stopped';
}

function isBefore({ at }: DrainReport, time: string | undefined): boolean {
  return time !== undefined && at < Date.parse(time);
}

function told(
  drain: Drain,
  before: DrainStatus,
  { account, at, generation, phase: said }: DrainReport,
): DrainStatus {
  const observedGeneration = generation ?? before.observedGeneration;
  const phase = said ?? before.phase ?? 'Draining';
  const requestedBy = drain.metadata.annotations?.[REQUESTED_BY];
  const isBegun = phase !== 'Planned' && (before.phase === undefined || before.phase === 'Planned');
  const counts = {
    ...countsOf(isBegun ? {} : before),
    ...(account === null ? {} : countedIn(before, account)),
  };
  const isOver = isEnd(phase);
  const startedAt = isBegun ? timeOf(at) : before.startedAt;
  const endedAt = isOver ? (before.endedAt ?? timeOf(at)) : undefined;
  const known = { observedGeneration, requestedBy, startedAt, endedAt };
  const status = { ...present(known), phase, ...counts };
  return { ...status, conditions: conditionsOf(before, status, { at, observedGeneration }) };
}

/** The API server keeps no field that has no value. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

type Counts = Pick<
  DrainStatus,
  | 'waiting'
  | 'underWay'
  | 'moved'
  | 'movedBefore'
  | 'countedSince'
  | 'stayed'
  | 'targets'
  | 'going'
  | 'reasons'
  | 'stays'
>;

function countsOf(status: DrainStatus): Counts {
  const { waiting, underWay, moved, movedBefore, countedSince, stayed, targets, going } = status;
  const { reasons, stays } = status;
  const counts = { waiting, underWay, moved, movedBefore, countedSince, stayed };
  return present({ ...counts, targets, going, reasons, stays });
}

/**
 * A drain that was begun once more, as after a loss of Temporal's data, counts from 0: what it had moved is
 * added.
 */
function countedIn(before: DrainStatus, account: DrainAccount): Counts {
  const { countedSince, waiting, underWay, moved, named, going, stayed, targets } = account;
  const isSame = before.countedSince === (countedSince ?? undefined);
  const wasCounted = before.countedSince !== undefined;
  const earlier =
    countedSince === null ? 0 : ((isSame || !wasCounted ? before.movedBefore : before.moved) ?? 0);
  return {
    waiting,
    underWay,
    moved: earlier + moved,
    movedBefore: earlier,
    ...(countedSince === null ? {} : { countedSince }),
    stayed: sumOf(stayed),
    targets: entriesOf(targets).map(([site, capps]) => ({ site, capps })),
    going: going.map(({ capp, to }) => ({ capp, site: to ?? '?' })),
    reasons: entriesOf(stayed).map(([reason, capps]) => ({ reason, capps, ...messageOf(account, reason) })),
    stays: named.map(({ capp, why }) => ({ capp, reason: why })),
  };
}

/** What Capps that would stay wait for: a plan says it, as its reason alone may not help. */
function messageOf({ messages = {} }: DrainAccount, reason: string): { readonly message?: string } {
  const message = messages[reason];
  return message === undefined || message === '' ? {} : { message: message.slice(0, LONGEST_MESSAGE) };
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The largest first. */
function entriesOf(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

function conditionsOf(
  before: DrainStatus,
  status: DrainStatus & { readonly phase: DrainPhase },
  { at, observedGeneration }: { readonly at: number; readonly observedGeneration: number | undefined },
): Condition[] {
  const say = (type: DrainConditionType, [isSo, reason, message]: Saying): Condition => {
    const about = observedGeneration === undefined ? {} : { observedGeneration };
    const said = { type, status: isSo ? 'True' : 'False', reason, message, ...about } as const;
    return conditionSince(before.conditions, said, timeOf(at));
  };
  return [say('Complete', completeness(status)), say('Drained', emptiness(status))];
}

type Saying = readonly [boolean, DrainReason, string];

function completeness({ phase, waiting = 0, underWay = 0, moved = 0, stayed = 0 }: DrainStatus): Saying {
  const left = `${capps(waiting, 'wait')} for a lane; on their way: ${underWay}; moved: ${moved}.`;
  const again = 'To drain the site once more, delete this Drain and create it again.';
  switch (phase) {
    case 'Planned':
      return [
        true,
        phase,
        `A drain would move ${capps(waiting)}; it would leave ${stayed} where they are. Set spec.dryRun to false to begin it.`,
      ];
    case 'Paused':
      return [false, phase, `The drain is paused: ${left} Set spec.paused to false to go on.`];
    case 'Stopped':
      return [true, phase, `Somebody stopped the drain through Temporal: ${left} ${again}`];
    case 'Done':
      return [true, phase, `The drain has ended: ${capps(moved)} moved, and ${stayed} stay. ${again}`];
    default:
      return [false, 'Draining', left];
  }
}

function emptiness({ phase = 'Draining', stayed = 0, reasons = [] }: DrainStatus): Saying {
  if (phase === 'Planned') return [false, phase, 'A dry run moves no Capp.'];
  if (phase !== 'Done')
    return [false, phase, 'Capps may be left on the site. Condition Complete says how far the drain is.'];
  if (stayed === 0) return [true, 'SiteEmpty', 'No Capp is left on the site.'];
  const why = reasons.map(({ reason, capps: count }) => `${reason} ${count}`).join(', ');
  return [
    false,
    'CappsStay',
    `${capps(stayed, 'stay')} on the site (${why}). Field status.stays names them, and docs/drain.md says what helps for each reason.`,
  ];
}

/** `1 Capp waits`, `2 Capps wait`. */
function capps(count: number, verb = ''): string {
  const [noun, does] = count === 1 ? ['Capp', `${verb}s`] : ['Capps', verb];
  return verb === '' ? `${count} ${noun}` : `${count} ${noun} ${does}`;
}

function isComplete({ conditions = [] }: DrainStatus): boolean {
  return conditions.some(({ type, status }) => type === 'Complete' && status === 'True');
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** What users should hear of a change; null if the phase is as it was. */
export function happeningOf({ metadata, status: before }: Drain, after: DrainStatus): Happening | null {
  const { phase = 'Draining', conditions = [] } = after;
  if (before?.phase === phase && isComplete(before) === isComplete(after)) return null;
  const about = (type: DrainConditionType): string =>
    conditions.find((one) => one.type === type)?.message ?? '';
  const occasion = `${phase}/${metadata.generation ?? 0}/${after.startedAt ?? ''}`;
  if (phase === 'Draining') {
    const reason = before?.phase === 'Paused' ? 'DrainResumed' : 'DrainStarted';
    return { type: 'Normal', reason, note: about('Complete'), occasion };
  }
  if (phase !== 'Done') return { type: 'Normal', reason: `Drain${phase}`, note: about('Complete'), occasion };
  const stays = (after.stayed ?? 0) > 0;
  const reason: DrainReason = stays ? 'CappsStay' : 'SiteEmpty';
  return { type: stays ? 'Warning' : 'Normal', reason, note: about('Drained'), occasion };
}
