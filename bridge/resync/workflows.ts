// The resync of workflows: every Capp has one, and each belongs to a Capp.
import type { Client } from '@temporalio/client';
import type { Capp } from '../../crds/capp/capp.ts';
import { CAPP_WORKFLOW, cappOfWorkflowId, cappWorkflowId } from '../../workflows/names.ts';
import { isUnheeded } from '../changes/causes.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import type { Ringer } from '../ringer.ts';
import { BRIDGE_TIMES } from '../times.ts';
import { callFor } from './resync.ts';

const RUNNING = `WorkflowType = '${CAPP_WORKFLOW}' AND ExecutionStatus = 'Running'`;

/**
 * Returns a resync to repeat: it starts the workflow of every Capp that has none, and rings workflows whose
 * Capp is gone. While there are as many workflows as Capps, it lists them only every
 * `BRIDGE_TIMES.workflows`: with ten thousand, a list a minute costs Temporal more than all else at rest. The
 * resync throws what the Temporal client throws.
 */
export function workflowResync(
  client: Pick<Client, 'workflow'>,
  watched: BridgeWatched,
  ringer: Ringer,
): () => Promise<void> {
  const ringForGone = gone(watched, ringer);
  let agreedAt: number | null = null;
  return async () => {
    const now = Date.now();
    const isRecent = agreedAt !== null && now - agreedAt < BRIDGE_TIMES.workflows.ms;
    if (isRecent && (await client.workflow.count(RUNNING)).count === watched.capps.list().length) return;
    const running = new Set<string>();
    for await (const { workflowId } of client.workflow.list({ query: RUNNING })) running.add(workflowId);
    const surplus = ringForGone(running, now);
    const missing = watched.capps.list().filter((capp) => isMissing(capp, running, now));
    for (const capp of missing) ringer.ring({ ...callFor(watched, capp, 'spec'), yields: !isUnheeded(capp) });
    agreedAt = surplus + missing.length === 0 ? now : null;
  };
}

function isMissing({ metadata }: Capp, running: ReadonlySet<string>, now: number): boolean {
  const { namespace = '', name, creationTimestamp } = metadata;
  const isNewborn =
    creationTimestamp !== undefined && now - Date.parse(creationTimestamp) < BRIDGE_TIMES.newCapp.ms;
  return !isNewborn && !running.has(cappWorkflowId(namespace, name));
}

/** Rings workflows whose Capp is gone, each once in a while. Returns how many there are. */
function gone(watched: BridgeWatched, ringer: Ringer): (running: ReadonlySet<string>, now: number) => number {
  const rang = new Map<string, number>();
  return (running, now) => {
    let found = 0;
    for (const workflowId of running) {
      const owner = cappOfWorkflowId(workflowId);
      if (owner === null || watched.capps.get(owner) !== undefined) continue;
      found += 1;
      if (now - (rang.get(workflowId) ?? 0) < BRIDGE_TIMES.goneCapp.ms) continue;
      rang.set(workflowId, now);
      ringer.ring({ ...owner, cause: 'meta', changed: null, uid: null, yields: true });
    }
    for (const workflowId of rang.keys()) if (!running.has(workflowId)) rang.delete(workflowId);
    return found;
  };
}
