// Reads the input of a set's workflow. What cannot be read is what nobody remembers: the set's status has it.
import { setOfWorkflowId } from '../names.ts';
import { initialSetState, type SetState } from '../set/state.ts';
import { fieldsOf, isWhole } from './fields.ts';
import { readMemory } from './memory.ts';
import { readRing } from './ring.ts';

/** A checkpoint is taken as it is. Null if not even the id names a set. */
export function readSetState(given: unknown, workflowId: string): SetState | null {
  const set = setOfWorkflowId(workflowId);
  if (set === null) return null;
  const fields = fieldsOf(given) ?? {};
  const { minimumVersions } = readRing({
    causes: ['resync'],
    minimumVersions: fields['minimumVersions'],
  }) ?? {
    minimumVersions: {},
  };
  const { unreadable } = fields;
  return {
    ...initialSetState(set),
    memory: readMemory(fields['memory']),
    minimumVersions,
    ...(isWhole(unreadable, 1, Number.MAX_SAFE_INTEGER) ? { unreadable } : {}),
  };
}
