// Counts the events of a workflow's history while the workflow is idle, so that counting adds none.
import type { WorkflowHandle } from '@temporalio/client';
import type { State } from '../../workflows/capp/state.ts';
import { eventually } from '../eventually.ts';

/** Events of one `awaitVerdict`, with what follows its answer. */
const EVENTS_A_VERDICT = 12;
/** Longer than the pause between two workflow tasks. */
const QUIET = { withinMs: 180_000, everyMs: 1_000 };

/**
 * The number of events when the workflow is idle. It is queried only after its history stopped growing,
 * because a query to a busy workflow adds events.
 */
export async function eventsAtRest(handle: WorkflowHandle): Promise<number> {
  let last = 0;
  return eventually(async () => {
    const now = (await handle.fetchHistory()).events?.length ?? 0;
    const isQuiet = now === last;
    last = now;
    return isQuiet && isAtRest(await handle.query<State>('view')) ? now : undefined;
  }, QUIET);
}

/**
 * The events that a slow site added after the first `before` events. A rollout or a move asks for a verdict
 * once; a site that is not Ready at once answers Progressing first, and is asked again.
 */
export async function interimEvents(handle: WorkflowHandle, before = 0): Promise<number> {
  const { events } = await handle.fetchHistory();
  const asked = (events ?? [])
    .slice(before)
    .filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'awaitVerdict');
  return Math.max(0, asked.length - 1) * EVENTS_A_VERDICT;
}

const isAtRest = ({ due, leaving, move }: State): boolean =>
  due.length === 0 && move === null && Object.keys(leaving).length === 0;
