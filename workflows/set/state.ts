// The state of a set's workflow: its only argument, so continue-as-new is a checkpoint.
import type { RolloutMemory } from '../stages/memory.ts';

export interface SetRef {
  readonly namespace: string;
  readonly name: string;
}

export interface SetState {
  readonly version: 1;
  readonly set: SetRef;
  /** Null: what the set's status says. */
  memory: RolloutMemory | null;
  minimumVersions: Readonly<Record<string, string>>;
  /** Messages that could not be read. */
  unreadable?: number;
}

export function initialSetState(set: SetRef): SetState {
  return { version: 1, set, memory: null, minimumVersions: {} };
}
