// The state of a workflow of an object on many sites. It is the workflow's only argument, so continue-as-new
// is a checkpoint. All but the rollout is read again in each turn.
import { fleetOfWorkflowId } from '../names.ts';
import { fieldsOf, isWhole } from '../parse/fields.ts';
import { readMemory } from '../parse/memory.ts';
import { readRing } from '../parse/ring.ts';
import type { RolloutMemory } from '../stages/memory.ts';
import type { FleetRef } from './port.ts';

export interface FleetState {
  readonly version: 1;
  /** Null: what the object's status says. */
  memory: RolloutMemory | null;
  /** Kind → the resourceVersion that caches must have reached. */
  minimumVersions: Readonly<Record<string, string>>;
  /** Turns in a row whose caches had not reached it. */
  behind: number;
  /** Messages that could not be read. */
  unreadable: number;
}

/** What cannot be read is what nobody remembers: the status of the object has it. */
export function readFleetState(given: unknown): FleetState {
  const { memory, minimumVersions, unreadable } = fieldsOf(given) ?? {};
  return {
    version: 1,
    memory: readMemory(memory),
    minimumVersions: readRing({ causes: ['resync'], minimumVersions })?.minimumVersions ?? {},
    behind: 0,
    unreadable: isWhole(unreadable, 1, Number.MAX_SAFE_INTEGER) ? unreadable : 0,
  };
}

/** The object that a workflow is for. Throws an Error that says what the id should be. */
export function objectOf(workflowId: string): FleetRef {
  const ref = fleetOfWorkflowId(workflowId);
  if (ref !== null) return ref;
  throw new Error(
    'the workflow must be started with the id cappset/<namespace>/<name> or bundle/<namespace>/<name>, so that each CappSet and Bundle has only one',
  );
}
