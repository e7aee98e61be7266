// Tells the drain of a cluster what became of a Capp that asked for its turn, or was told to leave.
import { settledBetween, type ForDrain } from './decide/settled.ts';
import { isFailed } from './failed.ts';
import type { Calls } from './runtime.ts';
import type { State } from './state.ts';

export async function settle(by: Pick<Calls, 'ask'>, before: State, after: State): Promise<void> {
  const settled = settledBetween(before, after);
  if (settled !== null) await tell(by, settled);
}

/** A drain that cannot be told frees the Capp's lane by itself after a while. */
export async function tell(by: Pick<Calls, 'ask'>, { cluster, news }: ForDrain): Promise<void> {
  await by
    .ask(`Tell turns/${cluster}`)
    .settle(cluster, news)
    .catch((error: unknown) => {
      if (!isFailed(error)) throw error;
    });
}
