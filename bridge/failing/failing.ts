// Finds Capps whose workflow task keeps failing, by Temporal's visibility, and starts the workflow that
// repairs them. It decides nothing about the Capp.
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { Capp } from '../../crds/capp/capp.ts';
import {
  CAPP_WORKFLOW,
  cappOfWorkflowId,
  cappWorkflowId,
  HUB_QUEUE,
  MEND_WORKFLOW,
  mendWorkflowId,
} from '../../workflows/names.ts';
import type { MendOrder } from '../../workflows/capp/mend.ts';
import type { Ringer } from '../ringer.ts';
import type { BridgeWatched } from '../changes/watched.ts';

/**
 * Temporal fills this search attribute after five failures in a row, and empties it when the task succeeds
 * (server 1.30 or newer).
 */
const QUERY = `WorkflowType = '${CAPP_WORKFLOW}' AND ExecutionStatus = 'Running' AND TemporalReportedProblems IS NOT NULL`;
/** The search attribute may be old, so each workflow is described, at most so many in one look. */
const MOST = 50;
const ATTEMPTS = 3;

export interface FailingOptions {
  readonly client: Pick<Client, 'workflow'>;
  readonly watched: Pick<BridgeWatched, 'capps'>;
  readonly ringer: Pick<Ringer, 'ring'>;
  /** The build of the hub workers: a workflow is started over once for each. */
  readonly build: string;
  /** The build that gets the workflow tasks, by the same name; null where workers have no builds. */
  readonly currentBuild: (() => Promise<string | null>) | null;
}

/**
 * A Capp whose status still reports a failing workflow after a ring is rung again after two looks, then four,
 * eight and so on, up to this many.
 */
const MOST_LOOKS = 64;

/** Returns a look to repeat. It throws what the Temporal client and `currentBuild` throw. */
export function failingWatch({
  client,
  watched,
  ringer,
  build,
  currentBuild,
}: FailingOptions): () => Promise<void> {
  const ring = ringAgain({ watched, ringer });
  return async () => {
    const failing = new Set<string>();
    let mayStartOver: boolean | null = null;
    for await (const { workflowId } of client.workflow.list({ query: QUERY })) {
      if (failing.size >= MOST) break;
      const owner = cappOfWorkflowId(workflowId);
      const capp = owner === null ? undefined : watched.capps.get(owner);
      const runId = capp === undefined ? null : await failingRun(client, workflowId);
      if (capp === undefined || runId === null) continue;
      failing.add(workflowId);
      // Read once a look, and only if a workflow fails. How an older build handles a new run tells nothing
      // about this one.
      mayStartOver ??= currentBuild === null || (await currentBuild()) === build;
      await mend(client, capp, { runId, build: mayStartOver ? build : null });
    }
    if (failing.size < MOST) ring(failing);
  };
}

/**
 * Returns a function that rings the Capps whose status reports a failing workflow that does not fail any
 * more, so that they update their status.
 */
function ringAgain({
  watched,
  ringer,
}: Pick<FailingOptions, 'watched' | 'ringer'>): (failing: ReadonlySet<string>) => void {
  const waits = new Map<string, Wait>();
  return (failing) => {
    const going = watched.capps
      .list()
      .filter((capp) => isSaidFailing(capp) && !failing.has(workflowIdOf(capp)));
    const ids = new Set(going.map(workflowIdOf));
    for (const id of waits.keys()) if (!ids.has(id)) waits.delete(id);
    for (const capp of going) {
      const { namespace = '', name, uid = '' } = capp.metadata;
      if (isTurn(waits, workflowIdOf(capp)))
        ringer.ring({ namespace, name, cause: 'spec', changed: null, uid, tellAgain: true });
    }
  };
}

/** In looks: how many are left until the next ring, and how many there were between the last two. */
interface Wait {
  readonly left: number;
  readonly looks: number;
}

function isTurn(waits: Map<string, Wait>, id: string): boolean {
  const { left, looks } = waits.get(id) ?? { left: 1, looks: 1 };
  const isNow = left <= 1;
  const longer = Math.min(looks * 2, MOST_LOOKS);
  waits.set(id, isNow ? { left: longer, looks: longer } : { left: left - 1, looks });
  return isNow;
}

function workflowIdOf({ metadata: { namespace = '', name } }: Capp): string {
  return cappWorkflowId(namespace, name);
}

/** The run whose task has failed several times in a row, or null. */
export async function failingRun(
  client: Pick<Client, 'workflow'>,
  workflowId: string,
): Promise<string | null> {
  const { raw, runId } = await client.workflow.getHandle(workflowId).describe();
  return (raw.pendingWorkflowTask?.attempt ?? 0) >= ATTEMPTS ? runId : null;
}

function isSaidFailing({ status }: Capp): boolean {
  return (
    status?.conditions?.some(({ type, reason }) => type === 'Stalled' && reason === 'WorkflowFailing') ??
    false
  );
}

/**
 * For each build, the first time starts the workflow over; by the workflow id Temporal remembers which builds
 * have tried. Without a current build the failure is only reported.
 */
async function mend(
  client: Pick<Client, 'workflow'>,
  capp: Capp,
  { runId, build }: { runId: string; build: string | null },
): Promise<void> {
  const { namespace = '', name, uid = '' } = capp.metadata;
  const order: MendOrder = { capp: { namespace, name, uid }, runId, startsOver: true };
  const about = {
    taskQueue: HUB_QUEUE,
    staticSummary: `The workflow of Capp ${namespace}/${name} keeps failing`,
  };
  if (build !== null) {
    const workflowId = mendWorkflowId(namespace, name, build);
    const starting = client.workflow.start(MEND_WORKFLOW, {
      ...about,
      workflowId,
      args: [order],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
    if (await starting.then(() => true, alreadyStarted)) return;
  }
  if (isSaidFailing(capp)) return;
  const workflowId = mendWorkflowId(namespace, name, 'said');
  const args = [{ ...order, startsOver: false }];
  await client.workflow.start(MEND_WORKFLOW, {
    ...about,
    workflowId,
    args,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}

function alreadyStarted(error: unknown): false {
  if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
  throw error;
}
