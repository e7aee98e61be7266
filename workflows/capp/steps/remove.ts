// The steps that look for works and remove them.
import { isFailed, messageOf } from '../../engine/failed.ts';
import { durably, localFirst } from '../../engine/local-first.ts';
import { afterRemove, afterRefusal, afterFind, afterRetire, leavingQuietly } from '../after/removal.ts';
import { ASKED_AFTER_SILENCE, ASKED_FIRST, QUICK_DELETION } from '../changes.ts';
import { groundsOf, toBeAskedFirst } from '../next/removal.ts';
import type { CappLife } from '../life.ts';
import { startOver } from './start-over.ts';
import { publish } from './publish.ts';
import { askFirst } from './wait.ts';

/**
 * A copy that cannot be removed stays a copy. That says nothing about the serving one. Nothing is removed
 * before an agent has answered that has to be asked first.
 */
export async function remove(life: CappLife, clusters: readonly string[]): Promise<void> {
  const { runtime, state } = life;
  const { capp, ringsHeard } = state;
  const asksSilent = life.noted.has(ASKED_AFTER_SILENCE);
  const doubtful = toBeAskedFirst(state, clusters, { now: runtime.now(), asksSilent });
  if (doubtful !== null && life.noted.has(ASKED_FIRST)) return askFirst(life, doubtful);
  const grounds = groundsOf(state, clusters, runtime.now());
  for (const cluster of clusters) life.agent.drop(cluster);
  try {
    const soundly = grounds.staying === null ? durably : localFirst;
    const removed = await soundly(runtime, `Remove from ${clusters.join(', ')}`, (by) =>
      by.remove(capp, clusters, grounds),
    );
    life.state = afterRemove(life.state, clusters, removed, { now: runtime.now(), ringsHeard });
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = afterRefusal(life.state, clusters, messageOf(error), { now: runtime.now(), ringsHeard });
  }
}

/** If the look fails, the next ring repeats it. */
export async function find(life: CappLife, clusters: readonly string[]): Promise<void> {
  const { runtime, state } = life;
  const { capp, ringsHeard } = state;
  const looking = localFirst(runtime, `Check what is left on ${clusters.join(', ')}`, (by) =>
    by.find(capp, clusters),
  );
  const found = await looking.catch((error: unknown) => {
    if (isFailed(error)) return null;
    throw error;
  });
  life.state = afterFind(life.state, clusters, found, { now: runtime.now(), ringsHeard });
}

/**
 * That a Capp is being deleted cannot be undone, so a lost workflow task decides nothing else the next time.
 */
export async function retire(life: CappLife): Promise<void> {
  const { runtime } = life;
  life.agent.drop();
  const isQuick = life.noted.has(QUICK_DELETION);
  if (isQuick) life.state = leavingQuietly(life.state, runtime.now());
  const asked = life.state;
  const soundly = isQuick ? localFirst : durably;
  const answer = await soundly(runtime, 'Remove every copy', (by) =>
    by.retire(asked.capp, asked.minimumVersions),
  );
  if (answer.outcome === 'Replaced') return startOver(life, answer.uid);
  life.state = afterRetire(life.state, asked, answer, life.runtime.now());
  if (answer.outcome === 'Retired') end(life);
  else await publish(life, null);
}

/**
 * A ring that came while the last work was deleted may be about a new object of the same name: then the
 * workflow goes on.
 */
function end(life: CappLife): void {
  if (life.state.ringsHeard <= life.state.ringsAnswered) life.ended = true;
}
