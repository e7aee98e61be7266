// Tells drains the outcome for a Capp that asked for a turn or was told to leave.
import { newsDue, told, type ForDrain } from '../after/drains.ts';
import { isFailed } from '../../engine/failed.ts';
import type { CappLife } from '../life.ts';
import type { Calls } from '../../engine/runtime.ts';

/**
 * Runs after every step. A drain that waits for the Capp in vain is told so. A drain that could not be told
 * is told after the next step.
 */
export async function settle(life: CappLife): Promise<void> {
  for (const due of newsDue(life.state, life.runtime.now())) {
    if (await isTold(life.runtime, due)) life.state = told(life.state, due);
  }
}

async function isTold(by: Pick<Calls, 'ask'>, { cluster, news }: ForDrain): Promise<boolean> {
  try {
    await by.ask(`Tell turns/${cluster}`).settle(cluster, news);
    return true;
  } catch (error) {
    if (isFailed(error)) return false;
    throw error;
  }
}
