// The workflows that the hub worker runs, each with the Temporal engine.
import { setDefaultSignalHandler } from '@temporalio/workflow';
import { liveAsCapp } from './capp/workflow.ts';
import type { DrainProgress } from './drain/decide/progress.ts';
import type { DrainStart, DrainState, Order } from './drain/state.ts';
import { liveAsDrain } from './drain/workflow.ts';
import { liveAsOrder } from './drain/order-workflow.ts';
import type { Start } from './capp/state.ts';
import { temporal } from './engine/temporal.ts';

export { mend } from './capp/mend.ts';
export { plan } from './drain/plan-workflow.ts';
export { score } from './score/workflow.ts';
export { site } from './site/workflow.ts';

export function capp(start: Start): Promise<void> {
  return deafToOthers(liveAsCapp(start, temporal));
}

/**
 * The one authority for leaving a cluster. Gives what came of it. Fails at once when it cannot read what it
 * is begun with.
 */
export function turns(start: DrainStart | DrainState): Promise<DrainProgress> {
  return deafToOthers(liveAsDrain(start, temporal));
}

/**
 * A person's order to empty a cluster. Gives what came of it. Fails at once when it cannot read what it is
 * begun with.
 */
export function drain(start: DrainStart | Order): Promise<DrainProgress> {
  return deafToOthers(liveAsOrder(start, temporal));
}

/**
 * A signal that has no handler would be kept for one that never comes. To be called when the handlers there
 * are stand.
 */
function deafToOthers<T>(life: Promise<T>): Promise<T> {
  setDefaultSignalHandler(() => temporal.countUnreadable());
  return life;
}
