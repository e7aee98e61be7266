// The workflow of a cluster that joins, `join/<cluster>`: it looks whenever it is rung, and when the verdict
// says so. It keeps nothing: each look reads everything.
import { isFailed, messageOf } from '../engine/failed.ts';
import { inputOf } from '../engine/input.ts';
import type { Runtime } from '../engine/runtime.ts';
import { ring } from '../messages.ts';
import { clusterOfJoinWorkflowId } from '../names.ts';
import type { JoinSight } from '../../crds/join/sight.ts';
import { joinVerdict, type JoinVerdict } from './verdict.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A look without a ring. */
const RESYNC = 24 * 60 * MINUTE;
/** The longest wait for what somebody has to mend, which begins with a minute and doubles. */
const LONGEST_HELD = 60 * MINUTE;

interface JoinLife {
  readonly runtime: Runtime;
  readonly cluster: string;
  isRung: boolean;
  /** Looks in a row at which a ClusterJoin waited until somebody mends the hub. */
  heldLooks: number;
}

/**
 * Ends when the cluster can run Capps and nothing is left to accept, and when it is gone. Fails at once when
 * its id names no cluster.
 */
export async function liveInJoin(runtime: Runtime): Promise<void> {
  const life: JoinLife = {
    runtime,
    cluster: inputOf(() => clusterOf(runtime.id())),
    isRung: true,
    heldLooks: 0,
  };
  runtime.handle(
    ring,
    () => {
      life.isRung = true;
    },
    { description: 'The cluster, a request under its name, its token or its add-on has changed: look again' },
  );
  for (;;) {
    life.isRung = false;
    const verdict = await turn(life);
    // A ring that came meanwhile is answered first.
    if (verdict?.act.do === 'end' && !life.isRung) return;
    await untilDue(life, verdict);
    if (runtime.isLong()) await checkpoint(runtime);
  }
}

function clusterOf(workflowId: string): string {
  const cluster = clusterOfJoinWorkflowId(workflowId);
  if (cluster !== null) return cluster;
  throw new Error(
    'the workflow must be started with the id join/<cluster>, so that each cluster has only one',
  );
}

/** Null: the hub refused for good, and is asked again after a while. */
async function turn(life: JoinLife): Promise<JoinVerdict | null> {
  const { runtime, cluster } = life;
  try {
    const { sight, heldBy } = await seen(runtime, cluster);
    const verdict = againIfHeld(life, joinVerdict(cluster, sight, runtime.now()), heldBy !== null);
    const { phase, reason, message, act } = verdict;
    const says = heldBy === null ? message : `${message} ${heldBy}`;
    runtime.show(`**${phase}${reason === null ? '' : `, ${reason}`}.** ${says}`);
    if (act.do === 'approve') return await approve(runtime, cluster, { verdict, act });
    if (act.do !== 'release') return verdict;
    await runtime.hub(`Delete token ${act.token}, which is spent`).releaseToken(cluster, act.token);
    return { ...verdict, wakeAt: runtime.now() + SECOND };
  } catch (error) {
    if (!isFailed(error)) throw error;
    runtime.show(
      `The hub refuses to hub workers what a join needs (${messageOf(error)}). It is asked again in a minute.`,
    );
    return null;
  }
}

/** It does not end while a ClusterJoin waits, and looks again ever more seldom. */
function againIfHeld(life: JoinLife, verdict: JoinVerdict, isHeld: boolean): JoinVerdict {
  life.heldLooks = isHeld ? life.heldLooks + 1 : 0;
  if (!isHeld) return verdict;
  const again = life.runtime.now() + Math.min(LONGEST_HELD, MINUTE * 2 ** (life.heldLooks - 1));
  const act: JoinVerdict['act'] = verdict.act.do === 'end' ? { do: 'wait' } : verdict.act;
  return { ...verdict, act, wakeAt: verdict.wakeAt === null ? again : Math.min(again, verdict.wakeAt) };
}

interface Seen {
  readonly sight: JoinSight;
  /** Why a ClusterJoin waits until somebody mends the hub; null: none does. */
  readonly heldBy: string | null;
}

/** What ClusterJoins ask for comes first: without a ManagedCluster there is nothing to look at. */
async function seen(runtime: Runtime, cluster: string): Promise<Seen> {
  const look = (): Promise<JoinSight> => runtime.hub(`Look at ${cluster}, which joins`).seeJoin(cluster);
  const sight = await look();
  if (sight.isDeclared !== true) return { sight, heldBy: null };
  const settled = await runtime.hub(`Settle the ClusterJoins of ${cluster}`).settleDeclared(cluster);
  const heldBy = settled.isHeld === true ? settled.says : null;
  return { sight: settled.hasActed ? await look() : sight, heldBy };
}

async function approve(
  runtime: Runtime,
  cluster: string,
  {
    verdict,
    act,
  }: { readonly verdict: JoinVerdict; readonly act: Extract<JoinVerdict['act'], { do: 'approve' }> },
): Promise<JoinVerdict> {
  const { request, token } = act;
  const done = await runtime.hub(`Accept ${cluster} by ${request}`).approveJoin(cluster, { request, token });
  if (done.outcome === 'LeftAlone') {
    runtime.show(`**Asked.** ${request} is left alone: ${done.why}`);
    return { ...verdict, wakeAt: runtime.now() + MINUTE };
  }
  return { ...verdict, wakeAt: runtime.now() + SECOND };
}

async function untilDue(life: JoinLife, verdict: JoinVerdict | null): Promise<void> {
  const { runtime } = life;
  const wakeAt = verdict === null ? runtime.now() + MINUTE : verdict.wakeAt;
  const ms = wakeAt === null ? RESYNC : Math.min(RESYNC, Math.max(SECOND, wakeAt - runtime.now()));
  await runtime.until(() => life.isRung, { ms, summary: 'Until something changes' });
}

async function checkpoint(runtime: Runtime): Promise<void> {
  await runtime.until(runtime.isHandled);
  await runtime.continueAsNew(null);
}
