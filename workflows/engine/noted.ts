// The changes in the order of commands that this run has noted, by name (Temporal's patches). A step whose
// change is not noted goes the former way, so that histories of earlier builds replay. A change is noted when
// a message, an answer of another worker or a timer comes, and never after a local activity: a query that is
// answered meanwhile begins another workflow task, and a replay would look for the marker of the change one
// task too early.
import type { Runtime } from './runtime.ts';

export interface ChangeNotes {
  readonly runtime: Pick<Runtime, 'patched'>;
  readonly noted: Set<string>;
}

/**
 * Called only where nothing but messages, answers of other workers and timers was heard since the workflow
 * task began. Does nothing while a history of an earlier build is replayed. Costs nothing the second time.
 */
export function note({ runtime, noted }: ChangeNotes, change: string): void {
  if (!noted.has(change) && runtime.patched(change)) noted.add(change);
}
