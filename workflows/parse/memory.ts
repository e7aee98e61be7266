// Reads what a workflow remembers of a rollout, out of its input.
import type { RolloutMemory } from '../stages/memory.ts';
import { fieldsOf, isUid } from './fields.ts';

const OBJECTS = ['removal', 'refused', 'handled'] as const;
const NULLABLE = ['rollout', 'leaving'] as const;

/** Null if it cannot be read: the status of the object has what is needed. */
export function readMemory(given: unknown): RolloutMemory | null {
  const memory = fieldsOf(given);
  if (memory === null || !isUid(memory['uid'])) return null;
  const isWholeMemory =
    OBJECTS.every((name) => fieldsOf(memory[name]) !== null) &&
    NULLABLE.every((name) => memory[name] === null || fieldsOf(memory[name]) !== null);
  return isWholeMemory ? (memory as unknown as RolloutMemory) : null;
}
