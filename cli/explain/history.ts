// What has happened to a Capp, newest first, from its status and its events. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import { leaveAdvice } from './reasons.ts';

/** A core/v1 Event, as far as it is read; several of one kind count together. */
export interface Event {
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
  readonly type?: string;
}

export interface Happening {
  /** RFC 3339. */
  readonly at: string;
  readonly what: 'placement' | 'move' | 'event' | 'created';
  readonly reason: string;
  readonly text: string;
}

export function historyOf(capp: Capp, events: readonly Event[]): Happening[] {
  const all = [...placements(capp), ...lastMove(capp), ...events.flatMap(fromEvent), ...creation(capp)];
  return all.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function placements({ status }: Capp): Happening[] {
  return (status?.decisions ?? []).map(
    ({ at, cluster = null, placement = null, reason, candidates, excluded }) => {
      const out = excluded.reduce((sum, { count }) => sum + count, 0);
      const by = placement === null ? '' : ` by placement ${placement}`;
      const others = `${candidates.length} could take it, ${out} were left out`;
      return { at, what: 'placement', reason, text: `${cluster ?? 'No site'}${by}: ${others}` };
    },
  );
}

function lastMove({ status }: Capp): Happening[] {
  const move = status?.migration?.lastMove;
  if (move?.endedAt === undefined) return [];
  const { from = '?', to = '?', result = 'Ended', reason = '', message = '' } = move;
  const text = `From ${from} to ${to}, because ${leaveAdvice(reason).words}. ${message}`;
  return [{ at: move.endedAt, what: 'move', reason: result, text: text.trim() }];
}

function fromEvent({ lastTimestamp, eventTime, reason = '', message = '' }: Event): Happening[] {
  const at = lastTimestamp ?? eventTime;
  return at === null || at === undefined ? [] : [{ at, what: 'event', reason, text: message }];
}

function creation({ metadata: { creationTimestamp } }: Capp): Happening[] {
  if (creationTimestamp === undefined) return [];
  return [{ at: creationTimestamp, what: 'created', reason: '', text: 'Somebody created the Capp' }];
}
