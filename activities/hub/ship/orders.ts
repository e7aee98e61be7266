// What is to be verified of a Capp that is shipped: what its set has asked for, and what a move waits for;
// and how long it bears to be unhealthy. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import { travelling, verifyList, type VerifyCheck } from '../../../crds/verification/check.ts';
import { keyOf, moveKeyOf, orderOf } from '../../../crds/verification/order.ts';
import { rulesOf } from '../place/move-rules.ts';
import type { Applied } from '../../../workflows/ports/applied.ts';

type Shipped = Extract<Applied, { outcome: 'Applied' }>;
type Orders = Pick<Shipped, 'order' | 'moveOrder'>;

/** An order of another generation, or of another revision of the set, is about something else. */
export function ordersOf({ metadata, spec }: Capp): Orders {
  const given = orderOf(metadata);
  const written = writtenOf(metadata);
  const isPresent =
    given !== null &&
    given.generation === metadata.generation &&
    written !== null &&
    isSameRevision(written.revision, given.revision);
  const move = spec.migration?.verify === undefined ? null : readable(spec.migration.verify);
  return {
    ...(isPresent ? { order: { key: keyOf(given), checks: travelling(given.checks) } } : {}),
    ...(move === null ? {} : { moveOrder: { key: moveKeyOf(move), checks: travelling(move) } }),
  };
}

/** With its defaults. A list that cannot be read has no check that could pass, so the move waits. */
function readable(given: unknown): readonly VerifyCheck[] {
  return verifyList().safeParse(given).data ?? [];
}

/** How long it bears to be unhealthy. With `Recreate` it never leaves for that. */
export function bearing({ spec: { migration } }: Capp): Pick<Shipped, 'unhealthyMs' | 'unhealthyRestarts'> {
  const afterMs = rulesOf(migration).unhealthyMs;
  const restarts = migration?.unhealthy?.restarts;
  if (afterMs === undefined) return {};
  return { unhealthyMs: afterMs, ...(restarts === undefined ? {} : { unhealthyRestarts: restarts }) };
}
