// Workflow types of earlier versions. The bridge ends what runs of them (`bridge/fleet/keep.ts`); what a
// person starts by hand fails at once.
import { ApplicationFailure } from '@temporalio/workflow';
import { Failure } from './failures.ts';
import type { EARLIER_FLEET_WORKFLOWS } from './names.ts';

type Removed = (typeof EARLIER_FLEET_WORKFLOWS)[number];

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
