// When the bridge looks again at what it publishes: soon while something is amiss on a hub that has just
// begun, which people wait for.
import type { HubStatusReport } from '../../crds/hub/hub-status.ts';
import { BRIDGE_TIMES } from '../times.ts';

/**
 * In milliseconds, while something is amiss; `upMs`: so long the bridge runs. An outage may last for days.
 */
export function nextLookAmissMs(upMs: number): number {
  return upMs < BRIDGE_TIMES.begun.ms ? BRIDGE_TIMES.publishedAmiss.ms : BRIDGE_TIMES.published.ms;
}

/** In milliseconds, after this was published. */
export function nextLookMs({ temporal, hubWorkers }: HubStatusReport, upMs: number): number {
  const isWell = temporal?.reachable !== false && hubWorkers?.polling !== false;
  return isWell ? BRIDGE_TIMES.published.ms : nextLookAmissMs(upMs);
}

/**
 * Publishes at once, and again as long after each end as `publish` says. `publish` must not reject. Gives the
 * way to end it.
 */
export function keepPublishing(publish: () => Promise<number>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const turn = async (): Promise<void> => {
    const ms = await publish();
    if (!isOver) timer = setTimeout(() => void turn(), ms);
  };
  void turn();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
