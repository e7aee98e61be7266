// The workflow of a SIPCluster, `sip/<namespace>/<name>`: it looks whenever it is rung, and when a turn says
// so. It reserves nothing itself: for hosts it asks `hosts/hub`. It keeps nothing, since each turn reads
// everything.
import { isFailed, messageOf } from '../engine/failed.ts';
import { inputOf } from '../engine/input.ts';
import type { Runtime } from '../engine/runtime.ts';
import { ring } from '../messages.ts';
import { keptOfWorkflowId } from '../names.ts';
import type { SipRef, SipTurned } from './port.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A look without a ring, jittered by a tenth so that the clusters do not come together. */
const RESYNC = 24 * 60 * MINUTE;

interface SipLife {
  readonly runtime: Runtime;
  readonly ref: SipRef;
  isRung: boolean;
}

/** Ends when the SIPCluster is gone and no host is left. Fails at once when its id names none. */
export async function liveInSipCluster(runtime: Runtime): Promise<void> {
  const life: SipLife = { runtime, ref: inputOf(() => refOf(runtime.id())), isRung: true };
  runtime.handle(
    ring,
    () => {
      life.isRung = true;
    },
    { description: 'The SIPCluster, one of its hosts or a free host has changed: look again' },
  );
  for (;;) {
    life.isRung = false;
    const turned = await turn(life);
    // A ring that came meanwhile is answered first.
    if (turned?.outcome === 'Gone' && !life.isRung) return;
    await untilDue(life, turned);
    if (runtime.isLong()) await checkpoint(runtime);
  }
}

function refOf(workflowId: string): SipRef {
  const kept = keptOfWorkflowId(workflowId);
  if (kept?.kind === 'SIPCluster') return { namespace: kept.namespace, name: kept.name };
  throw new Error(
    'the workflow must be started with the id sip/<namespace>/<name>, so that each SIPCluster has only one',
  );
}

/** Null: the hub refused for good, and is asked again after a while. */
async function turn({ runtime, ref }: SipLife): Promise<SipTurned | null> {
  const named = `${ref.namespace}/${ref.name}`;
  try {
    const turned = await runtime.hub(`Look at SIPCluster ${named}`).turnSipCluster(ref);
    if (turned.outcome === 'Gone') return turned;
    runtime.show(turned.says);
    if (turned.needsHosts) await runtime.hub(`Ask for hosts for ${named}`).askForHosts(ref);
    return turned;
  } catch (error) {
    if (!isFailed(error)) throw error;
    runtime.show(
      `The hub refuses to hub workers what SIPCluster ${named} needs (${messageOf(error)}). It is asked again in a minute.`,
    );
    return null;
  }
}

/** Whoever has asked for hosts is rung when it has had its turn; if not, it asks again. */
async function untilDue(life: SipLife, turned: SipTurned | null): Promise<void> {
  const { runtime } = life;
  if (life.isRung) return;
  const asksAgain = turned?.outcome === 'Turned' && turned.needsHosts;
  const wakeAt = turned?.outcome === 'Turned' ? turned.wakeAt : null;
  const resync = Math.round(RESYNC * (0.95 + runtime.random() / 10));
  const most = turned === null || asksAgain ? MINUTE : resync;
  const ms = wakeAt === null ? most : Math.min(most, Math.max(SECOND, wakeAt - runtime.now()));
  const summary = asksAgain ? 'Until it has had its turn' : 'Until something changes';
  await runtime.until(() => life.isRung, { ms, summary });
}

async function checkpoint(runtime: Runtime): Promise<void> {
  await runtime.until(runtime.isHandled);
  await runtime.continueAsNew(null);
}
