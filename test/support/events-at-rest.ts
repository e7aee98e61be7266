// What a Capp's life has cost in Temporal: counted when its workflow rests, so that counting adds nothing.
import type { WorkflowHandle } from '@temporalio/client';
import type { State } from '../../workflows/state.ts';
import { eventually } from './eventually.ts';

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

const isAtRest = ({ due, leaving, move }: State): boolean => due.length === 0 && move === null && Object.keys(leaving).length === 0;
