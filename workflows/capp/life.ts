// What one run of a Capp's workflow holds.
import type { DecisionRecord } from '../../crds/capp/decision.ts';
import type { Listener, VerdictNews } from './listener.ts';
import type { Runtime } from '../engine/runtime.ts';
import type { State } from './state.ts';
import type { Verifier } from './verifier.ts';

/** What one run holds beside its state. All of it can be found again. */
export interface CappLife {
  readonly runtime: Runtime;
  state: State;
  readonly agent: Listener;
  readonly verifier: Verifier;
  /** The decision record of a choice that has not been published yet. */
  record: DecisionRecord | null;
  /** The changes that this run's history has, by name (`changes.ts`). */
  readonly noted: Set<string>;
  ended: boolean;
  /** The run ends and the next one goes on. This run does not answer Updates that wait. */
  isContinuing: boolean;
  /** A report that the next publication carries. */
  unpublished: VerdictNews | null;
}
