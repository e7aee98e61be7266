// How fast a tainted site is left when the drain lets everybody go at once and the agents are held still: what the hub can do, whatever the sites
// can take.
//
// Usage: node bench/measures/moves-at-once.ts [Capps]
import { DRAIN_PRIORITY } from '../../workflows/drain/state.ts';
import { configure } from '../../workflows/messages.ts';
import { HUB_QUEUE, TURNS_WORKFLOW, turnsWorkflowId } from '../../workflows/names.ts';
import { leave } from '../load/leaving.ts';
import { measure } from '../measure.ts';
import { pauseAgents } from '../conditions/paused-agents.ts';
import type { Stage } from '../load/testbed.ts';

const OPEN = { width: 1000, perTarget: 1000, ratePerSecond: 500 } as const;

await measure('moves-at-once', 300, (stage, count) => leave(stage, count, openLanes));

/** Before the first Capp asks for its turn. */
async function openLanes(stage: Stage, cluster: string): Promise<() => void> {
  await stage.stack.temporal.workflow.signalWithStart(TURNS_WORKFLOW, {
    workflowId: turnsWorkflowId(cluster),
    taskQueue: HUB_QUEUE,
    args: [{ cluster }],
    signal: configure,
    signalArgs: [OPEN],
    priority: DRAIN_PRIORITY,
  });
  return pauseAgents(stage);
}
