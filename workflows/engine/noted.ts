// Changes of the order of commands that the history of a run has, by name. A change is noted when something
// from outside is heard, and a step that comes to it unnoted goes the former way. Where a query is answered
// while a local activity runs, Temporal begins another workflow task, and a replay hears of the activity in
// the task before: what was noted after the activity would be asked for too early for its marker, and no
// replay would end.
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
