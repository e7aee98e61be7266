// What a Capp's life has cost in Temporal: counted when its workflow rests, so that counting adds nothing.
import type { WorkflowHandle } from '@temporalio/client';
import type { State } from '../workflows/capp/state.ts';
import { eventually } from './eventually.ts';

/** From one question for a verdict to the next. */
const EVENTS_A_VERDICT = 12;
/** Longer than a rest between two turns of a workflow. */
const QUIET = { withinMs: 90_000, everyMs: 1_000 };

/** How many events a workflow has when it rests. A query to one that is at work costs events of its own, so it is asked only when it is quiet. */
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
 * Events that a slow site adds: one that is not Ready at once says so first, and is asked again. Takes the number of events before; a rollout or a
 * move asks for a verdict once.
 */
export async function interimEvents(handle: WorkflowHandle, before = 0): Promise<number> {
  const { events } = await handle.fetchHistory();
  const asked = (events ?? [])
    .slice(before)
    .filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'awaitVerdict');
  return Math.max(0, asked.length - 1) * EVENTS_A_VERDICT;
}

const isAtRest = ({ due, leaving, move }: State): boolean => due.length === 0 && move === null && Object.keys(leaving).length === 0;
