// Refusals for want of rights that pass by themselves.
import { isForbidden } from '../failure.ts';
import { pause } from '../pause.ts';
import { KUBE_TIMES } from '../times.ts';
import type { Bounds } from './deadline.ts';

const WAITS: readonly number[] = [KUBE_TIMES.rights.ms, 2 * KUBE_TIMES.rights.ms];

/**
 * An API server that has just started refuses everybody until it has read who may do what, and nothing tells
 * that from a right that is lacking. What it refuses it has not carried out, so a call is sent again before
 * its refusal counts, as long as its time allows. A refusal that names a policy, a webhook or a quota counts
 * at once.
 */
export async function withRights(send: () => Promise<unknown>, { until, signal }: Bounds): Promise<unknown> {
  for (const wait of WAITS) {
    try {
      return await send();
    } catch (error) {
      const mayPass = isForbidden(error) && error.by === null;
      if (!mayPass || Date.now() + 2 * wait > until) throw error;
      await pause(wait, signal);
    }
  }
  return send();
}
