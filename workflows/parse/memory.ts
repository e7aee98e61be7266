// Reads what a workflow remembers of a rollout, out of its input.
import type { RolloutMemory } from '../stages/memory.ts';
import { fieldsOf, isUid } from './fields.ts';
import { fields, listOf, name, number, orNull, recordOf, text } from './shapes.ts';

/** Sites of one object. */
const MOST_SITES = 5_000;

const isLeaving = orNull(fields({ digest: text(64), since: number }));
const isStuck = listOf(name, MOST_SITES);
const isRefused = recordOf(
  name,
  fields(
    {
      revision: text(128),
      reason: text(128),
      message: text(8_192),
      at: number,
      generation: orNull(number),
    },
    { retryAt: number, asked: fields({ round: text(128), checks: text(128) }) },
  ),
  MOST_SITES,
);

/**
 * Null if it cannot be read: the status of the object has what is needed. Of what is read, only how long
 * sites have been unselected, what was refused and what comes last counts (`memoryOf`); the rest is what the
 * status says.
 */
export function readMemory(given: unknown): RolloutMemory | null {
  return isMemory(given) ? given : null;
}

function isMemory(given: unknown): given is RolloutMemory {
  const memory = fieldsOf(given);
  return (
    memory !== null &&
    isUid(memory['uid']) &&
    isLeaving(memory['leaving']) &&
    isRefused(memory['refused']) &&
    (memory['stuck'] === undefined || isStuck(memory['stuck'])) &&
    ['removal', 'handled'].every((part) => fieldsOf(memory[part]) !== null) &&
    (memory['rollout'] === null || fieldsOf(memory['rollout']) !== null)
  );
}
