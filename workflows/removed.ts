// Workflow types of earlier versions. A run of one ends at its next task, whatever it had begun, and the
// bridge starts what has taken its place.
import { ApplicationFailure } from '@temporalio/workflow';
import { Failure } from './failures.ts';
import type { EARLIER_WORKFLOWS } from './names.ts';

type Removed = (typeof EARLIER_WORKFLOWS)[number];

/** Fails at once. */
export async function cappSet(): Promise<never> {
  throw replaced('cappSet', 'CappSet');
}

/** Fails at once. */
export async function bundle(): Promise<never> {
  throw replaced('bundle', 'Bundle');
}

function replaced(type: Removed, kind: string): ApplicationFailure {
  const message = `Workflows of type ${type} are of an earlier version. The bridge keeps a workflow of type fleet for each ${kind}: start none by hand.`;
  return ApplicationFailure.create({ type: Failure.Invalid, message, nonRetryable: true });
}
