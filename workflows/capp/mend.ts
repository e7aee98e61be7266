// Repairs a Capp whose own workflow cannot go on: reports it on the Capp, and starts it over once for each
// build of the hub worker.
import { ApplicationFailure } from '@temporalio/common';
import { Failure } from '../failures.ts';
import { fieldsOf, isName, isNamespace, isUid } from '../parse/fields.ts';
import { failing } from '../engine/metrics.ts';
import { hub } from '../engine/proxies.ts';
import type { CappRef } from './state.ts';

export interface MendOrder {
  readonly capp: CappRef;
  /** The failing run. No other run is terminated. */
  readonly runId: string;
  readonly startsOver: boolean;
}

/** Fails at once when it cannot read its input. */
export async function mend(order: MendOrder): Promise<void> {
  const { capp, runId, startsOver } = begin(order);
  failing();
  await hub('Report on the Capp that its workflow keeps failing').sayFailing(capp, { startsOver });
  if (startsOver) await hub('Terminate the failing run; the bridge starts another').startOver(capp, runId);
}

function begin(order: unknown): MendOrder {
  const { capp, runId, startsOver } = fieldsOf(order) ?? {};
  const { namespace, name, uid } = fieldsOf(capp) ?? {};
  if (isNamespace(namespace) && isName(name) && isUid(uid) && isUid(runId))
    return { capp: { namespace, name, uid }, runId, startsOver: startsOver === true };
  const message = 'Start it with {"capp":{"namespace":…,"name":…,"uid":…},"runId":…,"startsOver":true}';
  throw ApplicationFailure.create({ type: Failure.Invalid, message, nonRetryable: true });
}
