// Publishes a Capp's status on the hub, and search attributes and details in the Temporal UI.
import { describe, phaseOf } from '../conditions/details.ts';
import type { NextStep } from '../next/next-step.ts';
import { published, publicationOf, telling } from '../conditions/publication.ts';
import { tellingOf } from '../changes.ts';
import { isFailed } from '../../engine/failed.ts';
import type { CappLife } from '../life.ts';
import type { VerdictNews } from '../listener.ts';
import { NO_SITE } from '../../names.ts';
import { localFirst } from '../../engine/local-first.ts';

/** Writes the status if it differs from the last publication. */
export async function publish(life: CappLife, latest: VerdictNews | null): Promise<void> {
  const news = latest ?? life.unpublished;
  life.unpublished = null;
  const at = life.runtime.now();
  const due = publicationOf(life.state, { record: life.record, news, at, ...tellingOf(life) });
  if (due === null) return;
  life.state = telling(life.state, at);
  const { state } = life;
  const { fingerprint, publication } = due;
  const writing = localFirst(life.runtime, 'Publish', (by) => by.publish(state.capp, state, publication));
  const isWritten = await writing.then(() => true, unwritten);
  life.record = null;
  if (isWritten) life.state = published(life.state, { fingerprint, mirror: publication.mirror }, news);
}

/** A status that may not be written does not stop the workflow. */
function unwritten(error: unknown): false {
  if (isFailed(error)) return false;
  throw error;
}

/**
 * Shows the current details, and sets search attributes at rest. Both change only when they differ. A rollout
 * is shown from its first report on.
 */
export function show({ state, runtime }: CappLife, step: NextStep): void {
  const now = runtime.now();
  runtime.show(describe(state, step, now));
  const isSwitching = state.move !== null && state.serving === state.move.to;
  const isNews =
    (step.do === 'rest' && !isSwitching) ||
    (step.do === 'watch' && state.copies[step.cluster]?.finding !== null);
  if (isNews) runtime.index({ site: state.serving ?? NO_SITE, phase: phaseOf(state, now) });
}
