// What has happened to a Capp, newest first, from its status and its events. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappRevision } from '../../../crds/capp-revision.ts';
import { LAST_UPDATED_BY, ROLLED_BACK_TO } from '../../../crds/labels.ts';
import { changesBetween, inWords } from '../changes.ts';
import { leaveAdvice } from '../reasons/find.ts';

/** A core/v1 Event, as far as it is read; several of one kind count together. */
export interface ShownEvent {
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
  readonly type?: string;
}

export interface PastHappening {
  /** RFC 3339. */
  readonly at: string;
  readonly what: 'placement' | 'move' | 'revision' | 'rollback' | 'request' | 'event' | 'created';
  readonly reason: string;
  readonly text: string;
  /** Which sites it is about; absent where it is about none. */
  readonly sites?: readonly string[];
}

/** `revisions` newest first. */
export function historyOf(
  capp: Capp,
  events: readonly ShownEvent[],
  revisions: readonly CappRevision[] = [],
): PastHappening[] {
  const all = [
    ...placements(capp),
    ...lastMove(capp),
    ...lastRollback(capp),
    ...revisions.flatMap((one, index) => fromRevision(one, revisions[index + 1])),
    ...events.flatMap(fromEvent),
    ...creation(capp),
  ];
  return all.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function placements({ status }: Capp): PastHappening[] {
  return (status?.decisions ?? []).map(
    ({ at, cluster = null, placement = null, reason, candidates, excluded }) => {
      const out = excluded.reduce((sum, { count }) => sum + count, 0);
      const by = placement === null ? '' : ` by placement ${placement}`;
      const others = `${candidates.length} could take it, ${out} ${out === 1 ? 'was' : 'were'} left out`;
      const sites = cluster === null ? {} : { sites: [cluster] };
      return { at, what: 'placement', reason, text: `${cluster ?? 'No site'}${by}: ${others}`, ...sites };
    },
  );
}

function lastMove({ status }: Capp): PastHappening[] {
  const move = status?.migration?.lastMove;
  if (move?.endedAt === undefined) return [];
  const { from = '?', to = '?', result = 'Ended', reason = '', message = '' } = move;
  const text = `From ${from} to ${to}, because ${leaveAdvice(reason).words}. ${message}`;
  return [{ at: move.endedAt, what: 'move', reason: result, text: text.trim(), sites: [from, to] }];
}

function lastRollback({ status }: Capp): PastHappening[] {
  if (status?.rollback === undefined) return [];
  const { at, result, to, by = 'Somebody', why } = status.rollback;
  const did =
    result === 'RolledBack'
      ? `${by} rolled back to revision ${to}`
      : `${by} asked for revision ${to}, and the spec is another one`;
  return [{ at, what: 'rollback', reason: result, text: why === undefined ? did : `${did}: ${why}` }];
}

function fromRevision({ metadata, spec }: CappRevision, before: CappRevision | undefined): PastHappening[] {
  const { creationTimestamp: at, annotations = {} } = metadata;
  if (at === undefined || spec === undefined) return [];
  const { [LAST_UPDATED_BY]: by, [ROLLED_BACK_TO]: back } = annotations;
  const who = by === undefined ? '' : `, written by ${by}`;
  const changes =
    before === undefined
      ? ''
      : inWords(changesBetween(before.spec?.cappTemplate.cappSpec, spec.cappTemplate.cappSpec));
  const what = back === undefined ? changes : `the spec of revision ${back} again`;
  const text = `Generation ${spec.revisionNumber} was shipped${who}${what === '' ? '' : `: ${what}`}`;
  return [{ at, what: 'revision', reason: String(spec.revisionNumber), text }];
}

export function fromEvent({
  lastTimestamp,
  eventTime,
  reason = '',
  message = '',
}: ShownEvent): PastHappening[] {
  const at = lastTimestamp ?? eventTime;
  return at === null || at === undefined ? [] : [{ at, what: 'event', reason, text: message }];
}

function creation({ metadata: { creationTimestamp } }: Capp): PastHappening[] {
  if (creationTimestamp === undefined) return [];
  return [{ at: creationTimestamp, what: 'created', reason: '', text: 'Somebody created the Capp' }];
}
