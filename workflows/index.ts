// The workflows that the hub worker runs: each life, and the engine that runs it.
import { liveAsCapp } from './capp.ts';
import type { DrainProgress } from './decide/drain-progress.ts';
import type { DrainStart, DrainState } from './drain-state.ts';
import { liveAsDrain } from './drain.ts';
import type { State } from './state.ts';
import { temporal } from './temporal.ts';

export { plan } from './plan.ts';
export { score } from './score.ts';
export { site } from './site.ts';

export function capp(start: State): Promise<void> {
  return liveAsCapp(start, temporal);
}

/** Gives what came of it. Fails at once when it cannot read what it is begun with. */
export function drain(start: DrainStart | DrainState): Promise<DrainProgress> {
  return liveAsDrain(start, temporal);
}
