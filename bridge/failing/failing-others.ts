// Reports workflows other than Capps' whose task keeps failing. A person must terminate them, because a drain
// would forget which Capps wait and which are on their way.
import type { Client } from '@temporalio/client';
import { FLEET_WORKFLOW, SITE_WORKFLOW, TURNS_WORKFLOW } from '../../workflows/names.ts';
import { failingRun } from './failing.ts';

const TYPES = [FLEET_WORKFLOW, TURNS_WORKFLOW, SITE_WORKFLOW].map((type) => `'${type}'`).join(', ');
const QUERY = `WorkflowType IN (${TYPES}) AND ExecutionStatus = 'Running' AND TemporalReportedProblems IS NOT NULL`;
/** Each of them is described, at most so many in one look. */
const MOST = 50;

/**
 * Returns a look to repeat. It reports failing workflows, with the commands that terminate them, when they
 * differ from the last look. It throws what the Temporal client throws.
 */
export function othersWatch(
  client: Pick<Client, 'workflow'>,
  tell: (commands: readonly string[]) => void,
): () => Promise<void> {
  let known = '';
  return async () => {
    const failing: string[] = [];
    let looked = 0;
    for await (const { workflowId } of client.workflow.list({ query: QUERY })) {
      if ((looked += 1) > MOST) break;
      if ((await failingRun(client, workflowId)) !== null)
        failing.push(`temporal workflow terminate -w ${quoted(workflowId)}`);
    }
    const now = failing.toSorted().join('\n');
    if (now !== known) tell(failing.toSorted());
    known = now;
  };
}

/** People choose some of these ids. */
function quoted(id: string): string {
  return /^[\w./-]+$/.test(id) ? id : `'${id.replaceAll("'", String.raw`'\''`)}'`;
}
