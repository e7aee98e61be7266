// The workflows that the hub worker runs, each with the Temporal engine.
import { setDefaultSignalHandler } from '@temporalio/workflow';
import { holdNamespace } from './claim.ts';
import { liveAsCapp } from './capp/workflow.ts';
import type { DrainProgress } from './drain/decide/progress.ts';
import { refused } from './drain/earlier.ts';
import type { DrainStart, DrainState } from './drain/state.ts';
import { liveAsDrain } from './drain/workflow.ts';
import type { Start } from './capp/state.ts';
import { liveInDrill } from './drill/workflow.ts';
import { liveInFleet } from './fleet/workflow.ts';
import type { FleetState } from './fleet/state.ts';
import { liveInJoin } from './join/workflow.ts';
import { liveInSipCluster } from './metal/cluster.ts';
import { liveAsHosts, type HostsState } from './metal/hosts.ts';
import { agentInspect, drills } from './engine/proxies.ts';
import { temporal } from './engine/temporal.ts';

export { identity } from './identity/workflow.ts';
export { mend } from './capp/mend.ts';
export { bundle, cappSet } from './removed.ts';
export { score } from './score/workflow.ts';
export { site } from './site/workflow.ts';

export function capp(start: Start): Promise<void> {
  return ignoringUnknownSignals(liveAsCapp(start, temporal));
}

/** The workflow of a CappSet or a Bundle. Ends when that is gone. Fails at once when its id names neither. */
export function fleet(start?: FleetState): Promise<void> {
  return ignoringUnknownSignals(liveInFleet(start, temporal));
}

/** The workflow of a cluster that joins. Fails at once when its id names none. */
export function join(): Promise<void> {
  return ignoringUnknownSignals(liveInJoin(temporal));
}

/** The workflow of a drill. Fails at once when its id names no cluster. */
export function drill(): Promise<void> {
  return ignoringUnknownSignals(liveInDrill({ ...temporal, drills, agentInspect }));
}

/** The workflow of a SIPCluster. Ends when that is gone. Fails at once when its id names none. */
export function sipCluster(): Promise<void> {
  return ignoringUnknownSignals(liveInSipCluster(temporal));
}

/** The workflow that reserves hosts, for one SIPCluster after the other. */
export function hosts(start?: HostsState): Promise<void> {
  return ignoringUnknownSignals(liveAsHosts(start, temporal));
}

/**
 * The workflow that gives turns to leave a cluster. Returns the result. Fails at once when it cannot read its
 * input.
 */
export function turns(start: DrainStart | DrainState): Promise<DrainProgress> {
  return ignoringUnknownSignals(liveAsDrain(start, temporal));
}

/** The workflow by which a hub holds its Temporal namespace. Runs until somebody ends it. */
export function claim(): Promise<void> {
  return ignoringUnknownSignals(holdNamespace());
}

/** Types of earlier versions, which people may still start: fails at once, with the command that helps. */
export async function drain(given: unknown): Promise<never> {
  throw refused('drain', given);
}

export async function plan(given: unknown): Promise<never> {
  throw refused('plan', given);
}

/**
 * Ignores signals without a handler, which Temporal would keep for a handler that never comes. To be called
 * when all handlers are registered.
 */
function ignoringUnknownSignals<T>(life: Promise<T>): Promise<T> {
  setDefaultSignalHandler(() => temporal.countUnreadable());
  return life;
}
