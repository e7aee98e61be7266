// Reads the messages between a Capp and a drain. Anybody who reaches Temporal may send them. Null if a
// message cannot be read.
import type { HIGHEST_PRIORITY } from '../../crds/capp/requests.ts';
import type { LeaveOrder, PermitGiven, TurnRequest, Settled } from '../types/turns.ts';
import { fieldsOf, isName, isNamespace, isReason, isWhole } from './fields.ts';

const OUTCOMES: readonly Settled['outcome'][] = ['Moved', 'Failed', 'Cancelled', 'Stayed'];
/** Written out because workflow code imports no values of `crds/`; the compiler refuses any other number. */
const HIGHEST: typeof HIGHEST_PRIORITY = 1000;

export function readPermit(given: unknown): PermitGiven | null {
  const { cluster, answer } = fieldsOf(given) ?? {};
  return isName(cluster) && (answer === 'Go' || answer === 'Wait') ? { cluster, answer } : null;
}

export function readLeave(given: unknown): LeaveOrder | null {
  const { cluster, to } = fieldsOf(given) ?? {};
  if (!isName(cluster)) return null;
  return isName(to) ? { cluster, to } : { cluster };
}

export function readTurnRequest(given: unknown): TurnRequest | null {
  const { namespace, name, to = null, priority = 0 } = fieldsOf(given) ?? {};
  if (!isNamespace(namespace) || !isName(name) || !isWhole(priority, -HIGHEST, HIGHEST)) return null;
  return { namespace, name, to: isName(to) ? to : null, priority };
}

export function readSettled(given: unknown): Settled | null {
  const { namespace, name, outcome, to = null, reason } = fieldsOf(given) ?? {};
  const known = OUTCOMES.find((one) => one === outcome);
  if (!isNamespace(namespace) || !isName(name) || known === undefined) return null;
  return {
    namespace,
    name,
    outcome: known,
    to: isName(to) ? to : null,
    reason: isReason(reason) ? reason : 'Unknown',
  };
}
