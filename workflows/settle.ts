// Tells the drain of a cluster what became of a Capp that asked for its turn, or was told to leave.
import { getExternalWorkflowHandle } from '@temporalio/workflow';
import { settledBetween } from './decide/settled.ts';
import * as messages from './messages.ts';
import { drainWorkflowId } from './names.ts';
import type { State } from './state.ts';

/** A drain that has ended meanwhile has nothing to hear. */
export async function settle(before: State, after: State): Promise<void> {
  const settled = settledBetween(before, after);
  if (settled === null) return;
  await getExternalWorkflowHandle(drainWorkflowId(settled.cluster))
    .signal(messages.settled, settled.news)
    .catch(() => undefined);
}
