// How fast Capps leave a tainted site when the drain permits all moves at once and the agents are stopped.
// This measures only the hub.
//
// Usage: node bench/measures/moves-at-once.ts [Capps]
import { DRAIN_PRIORITY } from '../../workflows/drain/state.ts';
import { configure } from '../../workflows/messages.ts';
import { HUB_QUEUE, TURNS_WORKFLOW, turnsWorkflowId } from '../../workflows/names.ts';
import { leave } from '../load/leaving.ts';
import { measure } from '../measure.ts';
import { pauseAgents } from '../conditions/paused-agents.ts';
import type { Testbed } from '../load/testbed.ts';

const OPEN = { width: 1000, perTarget: 1000, ratePerSecond: 500 } as const;

await measure('moves-at-once', 300, (testbed, count) => leave(testbed, count, openLanes));

/** Call it before the first Capp asks for its turn. */
async function openLanes(testbed: Testbed, cluster: string): Promise<() => void> {
  await testbed.stack.temporal.workflow.signalWithStart(TURNS_WORKFLOW, {
    workflowId: turnsWorkflowId(cluster),
    taskQueue: HUB_QUEUE,
    args: [{ cluster }],
    signal: configure,
    signalArgs: [OPEN],
    priority: DRAIN_PRIORITY,
  });
  return pauseAgents(testbed);
}
